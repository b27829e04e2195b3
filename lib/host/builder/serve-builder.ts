import { waitFor } from '../activations/wait-for.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject, readBody } from '../http/read-body.ts';
import { findKind } from '../kinds/kinds.ts';
import { hostLimits } from '../limits.ts';
import type { Namespace } from '../namespaces/namespace.ts';
import { notFound, readSwitch } from '../rest/entity.ts';
import type { Content } from '../rest/read-content.ts';
import { type Builder, type BuilderCall, uploadPrefix } from './builder.ts';

/** The namespace that the platform's builder is in, for every caller. */
export const builderNamespace = 'nimbella';

/**
 * Answers `POST /namespaces/nimbella/actions/builder/getUploadUrl` and `.../build_nodejs_24` with 202 and the id of an activation in the
 * caller's namespace, or with its record where `blocking=true` and it ends in time.
 */
export async function serveBuilder(
  exchange: Exchange,
  [collection, packageName, action = '', ...more]: readonly string[],
  caller: Namespace,
  { builder, waitMs }: { readonly builder: Builder | undefined; readonly waitMs: number },
): Promise<Answer> {
  if (collection !== 'actions' || packageName !== 'builder' || more.length > 0) throw notFound();
  if (!builder) throw new HostError('not_found', 'This host does not build: it was started without a builder. Build on your own machine.');
  if (exchange.method !== 'POST') throw new HostError('method_not_allowed', `${exchange.method} is not supported for ${exchange.path}`);
  const inputs = parseJsonObject(await readBody(exchange.request, hostLimits.requestBytes));
  const { activationId, recorded } = start(builder, caller, action, inputs);
  const headers = { 'x-openwhisk-activation-id': activationId };
  const blocking = readSwitch(new URLSearchParams(exchange.query), 'blocking');
  const record = blocking ? await waitFor(recorded, waitMs) : undefined;
  if (!record) return jsonAnswer(202, { activationId }, headers);
  return jsonAnswer(record.response.success ? 200 : 502, record, headers);
}

/** Answers the `PUT` of a slice to the address it was granted; the address is all the permission it takes. */
export async function serveUpload({ request, method, path }: Exchange, builder: Builder | undefined): Promise<Answer> {
  if (!builder) throw notFound();
  if (method !== 'PUT') throw new HostError('method_not_allowed', `${method} is not supported for ${uploadPrefix}...`);
  await builder.slices.receive(path.slice(uploadPrefix.length), () => readBody(request, hostLimits.sliceBytes));
  return jsonAnswer(200, {});
}

function start(builder: Builder, caller: Namespace, action: string, inputs: Content): BuilderCall {
  if (action === 'getUploadUrl') return builder.grantUpload(caller);
  const kind = /^build_(nodejs_\w+)$/.exec(action)?.[1]?.replace('_', ':');
  if (kind !== undefined && findKind(kind)) return builder.build(caller, action, inputs);
  throw new HostError('not_found', `There is no builder ${action}: this host builds for the kinds of nodejs that it runs.`);
}
