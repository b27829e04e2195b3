import { createHash } from 'node:crypto';
import { HostError } from '../host-error.ts';
import { findKind, kinds } from '../kinds/kinds.ts';
import { hostLimits } from '../limits.ts';
import { type Content, malformed, readString } from './read-content.ts';

/** The `exec` part of a deployment, understood. `code` is a zip where it is binary, else source text. */
export interface Code {
  readonly kind: string;
  readonly main: string | undefined;
  readonly binary: boolean;
  readonly digest: string;
  readonly code: Buffer;
}

/** Reads `exec`. Whether the code is binary is decided by the code itself, as the platform does. HostError `bad_request`, `too_large`. */
export function readCode(exec: Content): Code {
  const name = readString(exec, 'kind', 'exec.kind') ?? '';
  const kind = findKind(name);
  if (!kind) {
    const known = kinds.map((each) => each.kind).join(', ');
    throw new HostError('bad_request', `The request content was malformed: kind '${name}' not in Set(${known}, nodejs:default, sequence)`);
  }
  const text = readString(exec, 'code', 'exec.code');
  if (text === undefined) throw malformed('exec.code', 'the source text, or a zip as base64', undefined);
  const binary = isBase64(text.trim());
  const code = binary ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  if (code.length > hostLimits.codeBytes) {
    throw new HostError('too_large', `exec.code is larger than allowed: ${code.length} > ${hostLimits.codeBytes} bytes.`);
  }
  const digest = createHash('sha256')
    .update(binary ? 'zip:' : 'text:')
    .update(code)
    .digest('hex');
  return { kind: kind.kind, main: readMain(exec), binary, digest, code };
}

function readMain(exec: Content): string | undefined {
  const main = readString(exec, 'main', 'exec.main');
  if (main === undefined || main === '') return undefined;
  if (/^[\w$]+(?:[.-][\w$]+)*$/.test(main)) return main;
  throw malformed('exec.main', 'the name of a function, or file.function', main);
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
