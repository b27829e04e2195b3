import { isRecord } from '../is-record.ts';
import { deepestJson, isTooDeep } from '../json-depth.ts';

/** What the launcher needs to load a function; its lines are described at the top of launcher.cjs. */
export interface InitMessage {
  readonly file?: string;
  readonly esmFile?: string;
  readonly dir?: string;
  readonly cacheDir?: string;
  readonly cwd: string;
  readonly main: string;
  readonly env: Readonly<Record<string, string>>;
  readonly apiHost: string;
  readonly mark: string;
}

/** One run of a function. `deadline` is in milliseconds since the epoch. */
export interface RunMessage {
  readonly activationId: string;
  readonly requestId: string;
  readonly namespace: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly deadline: number;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A line from the launcher, understood. */
export type Reply =
  | { readonly type: 'ok' }
  | { readonly type: 'init-failed'; readonly message: string }
  | { readonly type: 'begun'; readonly id: string }
  /** `bytes` is the size of the result as JSON. */
  | { readonly type: 'result'; readonly id: string; readonly result: Readonly<Record<string, unknown>> | null; readonly bytes: number }
  | { readonly type: 'failed'; readonly id: string; readonly message: string }
  | { readonly type: 'too-large'; readonly id: string; readonly bytes: number };

/** Reads a line of fd 3, which a function can write to as well: undefined for whatever the launcher would not have sent. */
export function parseReply(line: string): Reply | undefined {
  const message = parseObject(line);
  if (!message) return undefined;
  const { ok, error, begun, id, result, failed, tooLarge } = message;
  if (ok === true) return { type: 'ok' };
  if (typeof error === 'string') return { type: 'init-failed', message: error };
  if (typeof begun === 'string') return { type: 'begun', id: begun };
  if (typeof id !== 'string') return undefined;
  if (typeof failed === 'string') return { type: 'failed', id, message: failed };
  if (typeof tooLarge === 'number') return { type: 'too-large', id, bytes: tooLarge };
  const bytes = Buffer.byteLength(line) - envelopeBytes - id.length;
  if (result === null) return { type: 'result', id, result, bytes };
  if (!isRecord(result)) return undefined;
  if (isTooDeep(line, result)) return { type: 'failed', id, message: tooDeep };
  return { type: 'result', id, result, bytes };
}

const tooDeep = `The action did not produce a valid response: it is nested deeper than ${deepestJson} levels.`;
const envelopeBytes = '{"id":"","result":}'.length;

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
