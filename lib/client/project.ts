import { commaSeparated } from '../catalogue/comma-separated.ts';
import { isRecord } from '../catalogue/is-record.ts';

/**
 * A record cut down to the fields asked for.
 *
 * @param asked `"*"` for the whole record, paths as a list or separated by commas, or nothing: then the summary decides.
 * @param summary the paths of the record's summary; without one the record stays whole.
 */
export function project(record: unknown, asked: unknown, summary?: readonly string[]): unknown {
  const paths = pathsOf(asked) ?? summary;
  if (!paths || paths.includes('*')) return record;
  return pick(
    record,
    paths.map((path) => path.split('.')),
  );
}

/** The fields that were asked for and that none of the records has; a misspelt one would otherwise just be missing. */
export function missingFields(records: readonly unknown[], asked: unknown): readonly string[] {
  const paths = records.length === 0 ? [] : (pathsOf(asked) ?? []);
  if (paths.length === 0) return [];
  const present = new Set(records.flatMap((record) => (isRecord(record) ? Object.keys(record) : [])));
  return paths.filter((path) => path !== '*' && !present.has(path.split('.')[0] ?? ''));
}

/** What stands in the place of a secret. */
const redacted = '[redacted; set RevealSecrets: true]';

/** A value whose members of these names, at any depth, are hidden. What is empty hides nothing and stays. */
export function withoutSecrets(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      const secret = names.includes(name) && content !== null && content !== '';
      return [name, secret ? redacted : withoutSecrets(content, names)];
    }),
  );
}

function pathsOf(asked: unknown): readonly string[] | undefined {
  const paths = commaSeparated(Array.isArray(asked) ? asked.join(',') : typeof asked === 'string' ? asked : '');
  return paths.length > 0 ? paths : undefined;
}

/** Keeps what the paths lead to; a path runs through the items of a list. A path that leads nowhere leaves nothing behind. */
function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  const source: Readonly<Record<string, unknown>> = { ...value };
  const heads = [...new Set(paths.map(([head]) => head ?? ''))].filter((head) => Object.hasOwn(source, head));
  return Object.fromEntries(
    heads.map((head) => [
      head,
      pick(
        source[head],
        paths.filter(([first]) => first === head).map(([, ...rest]) => rest),
      ),
    ]),
  );
}
