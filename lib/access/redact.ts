import { sourceJson } from '../catalogue/source-json.ts';

/** Names whose values are secrets whatever the tool says; Slack's are addresses that let whoever knows them post. */
const secretNames = /password|passphrase|secret|token|private_?key|access_?key|credential|slack|^uri$/i;

/** Names and passwords in an address: up to the last `@` before its path, since a password may hold one. */
const userInAddress = /\/\/[^\s/?#]*@/g;

export const redacted = '[redacted]';

/**
 * A value as it may be written down: secrets hidden, at any depth.
 *
 * @param names members that are secrets for this tool, beside those whose names say so
 */
export function withoutSecrets(value: unknown, names: readonly string[] = []): unknown {
  if (typeof value === 'string') return value.replace(userInAddress, `//${redacted}@`);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, names));
  if (typeof value !== 'object' || value === null) return value;
  if (isRawNumber(value)) return value.rawJSON;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      const secret = content !== null && content !== '' && (names.includes(name) || secretNames.test(name));
      return [name, secret ? redacted : withoutSecrets(content, names)];
    }),
  );
}

/** Digits that are sent as they are, since a number cannot hold them. They are written down as text, as results have them. */
function isRawNumber(value: object): value is { readonly rawJSON: string } {
  return sourceJson.isRawJSON(value);
}

const longestText = 200;
const longestRecord = 4000;

/** Arguments as a record carries them: without secrets, long texts cut, and of very many only the names. */
export function recordable(input: Readonly<Record<string, unknown>>, names: readonly string[] = []): unknown {
  const shown = shortened(withoutSecrets(input, names));
  return JSON.stringify(shown).length <= longestRecord ? shown : { names: Object.keys(input) };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}...`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, shortened(content)]));
}
