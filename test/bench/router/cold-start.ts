import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Effort } from '../harness/effort.ts';
import { interleave, type Measures } from '../harness/interleave.ts';
import { type Shown, type Table, tabulate } from '../harness/table.ts';

const script = fileURLToPath(new URL('./cold.cjs', import.meta.url));

interface ColdStart {
  readonly bundle: string;
  /** The platform's address. */
  readonly url: string;
  /** Settings of the function beside that address. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The milliseconds that one cold start takes, in a process of its own, from the bundle's text to the answer.
 *
 * @param what an event that cold.cjs knows by name, `empty` for a function that does nothing, `https` for the request of a call and nothing else, or an event
 */
async function coldStart(what: string | object, { bundle, url, environment = {} }: ColdStart): Promise<{ readonly ms: number }> {
  const given = typeof what === 'string' ? [what, bundle, url] : ['given', bundle, url, JSON.stringify(what)];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...given], { env: { ...process.env, ...environment } });
  return { ms: Number(stdout) };
}

/** How the starts of one table are named, and what they have to reach. */
export interface ColdTable<Start extends string> {
  readonly title: string;
  /** Beside the two that every table has: nothing but the request, and a function that does nothing. */
  readonly starts: Readonly<Record<Start, string | (() => object)>>;
  readonly shown: Readonly<Record<Start, Shown<Start | 'https' | 'empty'>>>;
}

/** Cold starts of a function side by side: with the first of each of its events, of an empty function, and of the request alone. */
export async function coldTable<Start extends string>(
  effort: Effort,
  cold: ColdStart,
  { title, starts, shown }: ColdTable<Start>,
): Promise<Table> {
  const all = { https: 'https', empty: 'empty', ...starts };
  const started = (what: string | (() => object)) => () => coldStart(typeof what === 'string' ? what : what(), cold);
  // Safe: the same keys, which the type names.
  const measures = Object.fromEntries(
    Object.entries<string | (() => object)>(all).map(([name, what]) => [name, started(what)]),
  ) as Measures<Start | 'https' | 'empty', 'ms'>;
  const seen = await interleave(effort, { title, control: 'https', watched: 'ms', measures });
  const always = { https: { name: '`node:https` alone with the request of the call' }, empty: { name: 'an empty function' } };
  return tabulate(seen, { title, unit: 'ms', metric: 'ms', shown: { ...always, ...shown } });
}
