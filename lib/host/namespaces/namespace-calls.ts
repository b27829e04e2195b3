import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Content } from '../rest/read-content.ts';
import { idOf } from './credentials.ts';
import type { Namespace } from './namespace.ts';
import type { Namespaces } from './namespaces.ts';
import { noContent, platformError, wireTime } from './platform-answer.ts';

const longestLabel = 256;

/** `GET /v2/functions/namespaces` (functions_list_namespaces). */
export function listNamespaces(namespaces: Namespaces, apiHost: string): Answer {
  return jsonAnswer(200, { namespaces: namespaces.all().map((namespace) => wireNamespace(namespace, apiHost)) });
}

/** `GET /v2/functions/namespaces/NS` (functions_get_namespace). */
export function getNamespace(namespace: Namespace, apiHost: string): Answer {
  return jsonAnswer(200, { namespace: wireNamespace(namespace, apiHost) });
}

/**
 * `POST /v2/functions/namespaces` (functions_create_namespace). What is missing is answered as the document says: `bad_request`, with the
 * status 404. Region is whatever the caller wants it to be: all is on this machine.
 */
export function createNamespace(namespaces: Namespaces, { label, region }: Content, apiHost: string, requestId: string): Answer {
  const problems = [...fieldProblems('label', label), ...fieldProblems('region', region)];
  if (problems.length > 0 || typeof label !== 'string' || typeof region !== 'string') {
    return platformError(404, 'bad_request', `Invalid request payload: ${problems.join(', ')}`, requestId);
  }
  return getNamespace(namespaces.create(label, region), apiHost);
}

/** `DELETE /v2/functions/namespaces/NS` (functions_delete_namespace). */
export function deleteNamespace(namespaces: Namespaces, namespace: Namespace): Answer {
  namespaces.delete(namespace);
  return noContent;
}

function fieldProblems(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === '') return [`missing ${name} field`];
  if (typeof value === 'string' && value.length <= longestLabel) return [];
  return [`${name}: expected a text of at most ${longestLabel} characters, got ${JSON.stringify(value)?.slice(0, 80)}`];
}

function wireNamespace({ namespace, record }: Namespace, apiHost: string): Content {
  const { auth, label, region, createdMs, updatedMs } = record;
  const uuid = idOf(auth);
  return {
    namespace,
    api_host: apiHost,
    uuid,
    key: auth.slice(uuid.length + 1),
    label,
    region,
    created_at: wireTime(createdMs),
    updated_at: wireTime(updatedMs),
  };
}
