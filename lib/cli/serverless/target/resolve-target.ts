import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import type { TargetOptions } from '../options.ts';
import { connectedFile, readCredentials } from './credentials-file.ts';

/** A namespace's host and key, and where they were found. */
export interface FoundTarget {
  readonly apihost: string;
  readonly auth: string;
  readonly source: 'flags' | 'environment' | 'local' | 'connected';
  /** The file they stand in; null for flags and environment. */
  readonly file: string | null;
}

/** The variables that the platform's client library reads as well. */
const HOST_VARIABLE = '__OW_API_HOST';
const KEY_VARIABLE = '__OW_API_KEY';

/**
 * Finds the namespace a command works on: flags, then the environment, then the nearest host of this machine (`.deckhand/` in one of the
 * directories or above), then what `serverless connect` stored. CliError where nothing is found, or half of it.
 *
 * @param dirs where to look for a host of this machine, upwards from each
 */
export function resolveTarget(options: TargetOptions, dirs: readonly string[] = [process.cwd()]): FoundTarget {
  const found = findTarget(options, dirs);
  if (found) return found;
  throw new CliError(
    `there is no functions namespace to work on: start a host of your own with "${typed('deckhand dev <directory>')}" or ` +
      `"${typed('deckhand start')}" and run this in its directory, or use one that runs elsewhere: ${connecting()}`,
  );
}

/** The same, and null where nothing is found. */
export function findTarget(options: TargetOptions, dirs: readonly string[] = [process.cwd()]): FoundTarget | null {
  return fromFlags(options) ?? (options.connected ? null : (fromEnvironment() ?? fromLocalHost(dirs))) ?? fromConnected(options);
}

/**
 * The file in which the nearest host of this machine keeps how it is reached; null where there is none. CliError for one that is somebody else's, who
 * could have put it above any directory that is open to all: code and settings would go where it says.
 */
export function localHostFile(dir: string): string | null {
  const file = join(dir, '.deckhand', 'host', 'credentials.json');
  if (existsSync(file)) {
    if (process.getuid === undefined || statSync(file).uid === process.getuid()) return file;
    throw new CliError(
      `${file} belongs to another user, and is not followed: work elsewhere, or name the namespace with --apihost and --auth`,
    );
  }
  const parent = dirname(dir);
  return parent === dir ? null : localHostFile(parent);
}

function fromFlags({ apihost, auth }: TargetOptions): FoundTarget | null {
  if (apihost === undefined && auth === undefined) return null;
  if (apihost === undefined || auth === undefined) throw new CliError('--apihost and --auth belong together: give both, or neither');
  return { apihost, auth, source: 'flags', file: null };
}

function fromEnvironment(): FoundTarget | null {
  const apihost = process.env[HOST_VARIABLE] || undefined;
  const auth = process.env[KEY_VARIABLE] || undefined;
  if (apihost === undefined && auth === undefined) return null;
  if (apihost === undefined || auth === undefined) {
    const [set, missing] = apihost === undefined ? [KEY_VARIABLE, HOST_VARIABLE] : [HOST_VARIABLE, KEY_VARIABLE];
    throw new CliError(`${set} is set and ${missing} is not: set both, or neither`);
  }
  return { apihost, auth, source: 'environment', file: null };
}

function fromLocalHost(dirs: readonly string[]): FoundTarget | null {
  const file = dirs.map((dir) => localHostFile(resolve(dir))).find((found) => found !== null) ?? null;
  return fromFile(file, 'local');
}

function fromConnected({ connected }: TargetOptions): FoundTarget | null {
  const target = fromFile(connectedFile(), 'connected');
  if (target || !connected) return target;
  throw new CliError(`--connected: nothing is stored in ${connectedFile()}: run ${connecting()}`);
}

function connecting(): string {
  return typed('serverless connect --apihost <address> --auth <uuid:key>');
}

function fromFile(file: string | null, source: 'local' | 'connected'): FoundTarget | null {
  const credentials = file === null ? null : readCredentials(file);
  return credentials && { apihost: credentials.apihost, auth: credentials.auth, source, file };
}
