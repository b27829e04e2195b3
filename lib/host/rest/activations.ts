import type { ActivationRecord } from '../activations/activation-record.ts';
import type { ActivationStore } from '../activations/activation-store.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { notFound, readNumber, readPage, readSwitch } from './entity.ts';

/** `GET /namespaces/_/activations`: newest first; short unless `docs=true`, only their number with `count=true`. */
export function listActivations(store: ActivationStore, query: URLSearchParams): Answer {
  const name = query.get('name') ?? '';
  const sinceMs = readNumber(query, 'since');
  const uptoMs = readNumber(query, 'upto');
  const wanted = { ...(name !== '' && { name }), ...(sinceMs !== undefined && { sinceMs }), ...(uptoMs !== undefined && { uptoMs }) };
  const docs = readSwitch(query, 'docs');
  const { limit, skip } = readPage(query);
  if (readSwitch(query, 'count')) {
    if (docs) throw new HostError('bad_request', 'The parameters count and docs cannot be used together.');
    return jsonAnswer(200, { activations: Math.max(0, store.count(wanted) - skip) });
  }
  const records = store.list(wanted, limit, skip);
  return jsonAnswer(200, docs ? records : records.map(summary));
}

/** `GET /namespaces/_/activations/ID[/logs|/result]`. */
export function getActivation(store: ActivationStore, id: string, part: string | undefined): Answer {
  const record = /^[0-9a-f]{32}$/.test(id) ? store.get(id) : undefined;
  if (!record) throw notFound();
  if (part === undefined) return jsonAnswer(200, record);
  if (part === 'logs') return jsonAnswer(200, { logs: record.logs });
  if (part === 'result') return jsonAnswer(200, record.response);
  throw notFound();
}

function summary({ response: _response, logs: _logs, subject: _subject, ...rest }: ActivationRecord): Readonly<Record<string, unknown>> {
  return rest;
}
