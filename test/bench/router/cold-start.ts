import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('./cold.cjs', import.meta.url));

export interface ColdStart {
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
export async function coldStart(what: string | object, { bundle, url, environment = {} }: ColdStart): Promise<{ readonly ms: number }> {
  const given = typeof what === 'string' ? [what, bundle, url] : ['given', bundle, url, JSON.stringify(what)];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...given], { env: { ...process.env, ...environment } });
  return { ms: Number(stdout) };
}
