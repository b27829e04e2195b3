import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';

/** One namespace of one host, with its key. */
export interface Credentials {
  readonly apihost: string;
  readonly namespace: string;
  /** `uuid:key`, or an access key. */
  readonly auth: string;
}

/** The file's shape, which the platform's own clients share (platform reference, functions clients). */
const content = z.looseObject({
  currentHost: z.string(),
  currentNamespace: z.string(),
  credentials: z.record(z.string(), z.record(z.string(), z.looseObject({ api_key: z.string() }))),
});

type Content = z.infer<typeof content>;

/** Where `serverless connect` keeps what it stores: where the platform's clients keep theirs if told, else a file of our own. */
export function connectedFile(env: NodeJS.ProcessEnv = process.env): string {
  const dir = env.NIMBELLA_DIR || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'deckhand');
  return join(dir, 'credentials.json');
}

/** The namespace a credentials file points at; null where there is no such file. CliError for a file that is something else. */
export function readCredentials(file: string): Credentials | null {
  if (!existsSync(file)) return null;
  const { currentHost: apihost, currentNamespace: namespace, credentials } = parse(file);
  const auth = credentials[apihost]?.[namespace]?.api_key;
  if (auth === undefined)
    throw new CliError(`${file} has no key for ${namespace} on ${apihost}: run ${typed('serverless connect')}, or remove the file`);
  return { apihost, namespace, auth };
}

/** Makes a namespace the one the file points at; what else the file knows stays. Only its owner can read it. */
export function writeCredentials(file: string, { apihost, namespace, auth }: Credentials): void {
  const before: Partial<Content> = existsSync(file) ? parse(file) : {};
  const ofHost = { ...before.credentials?.[apihost], [namespace]: { api_key: auth } };
  const after = {
    ...before,
    currentHost: apihost,
    currentNamespace: namespace,
    credentials: { ...before.credentials, [apihost]: ofHost },
  };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function parse(file: string): Content {
  try {
    return content.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new CliError(`${file} holds no credentials that can be read: run ${typed('serverless connect')}, or remove the file`, {
      cause: error,
    });
  }
}
