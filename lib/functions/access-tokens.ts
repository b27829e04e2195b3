import { nearest } from '../catalogue/nearest.ts';
import { toolsetNames } from '../catalogue/toolset-names.ts';
import { ToolError } from '../errors.ts';

/** What the operator opens to a caller, and what is capped of it. */
export interface Grant {
  /** The toolsets they may use; absent: all that the installation offers. */
  readonly toolsets?: readonly string[];
  /** Names and globs of the tools they may use, as a selection writes them; absent: all. */
  readonly tools?: readonly string[];
  readonly readOnly: boolean;
  readonly rate?: Rate;
}

/** Somebody who may call, with the SHA-256 of the token they show. */
export interface AccessToken extends Grant {
  readonly name: string;
  readonly hash: Buffer;
}

/** So many calls in a time, all of which may come at once. */
export interface Rate {
  readonly calls: number;
  readonly perMs: number;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** How an option is written, for those who wrote it otherwise. */
const options = 'toolsets=dns+traffic, tools=key-*+!*-delete, readonly, rate=60/m';

/**
 * Reads `name=sha256:<hex>;toolsets=dns+traffic;readonly;rate=60/m`, entries separated by commas.
 *
 * @throws ToolError `not_configured`. An entry that cannot be read is named by its place alone: a token pasted by mistake must not be told to callers.
 */
export function readAccessTokens(text: string): readonly AccessToken[] {
  const callers = text.split(',').map((entry, index) => readEntry(entry, `entry ${index + 1} of the setting ACCESS_TOKENS`));
  const twice = callers.find(({ name }, index) => callers.findIndex((other) => other.name === name) !== index);
  if (twice) throw unusable(`the setting ACCESS_TOKENS names ${twice.name} twice: give each caller a name of its own`);
  const shared = callers.find(({ hash }, index) => callers.findIndex((other) => other.hash.equals(hash)) !== index);
  if (shared) throw unusable(`the setting ACCESS_TOKENS gives ${shared.name} the token of another caller: give each one of its own`);
  return callers;
}

/** An entry as `readAccessTokens` reads it. */
export function accessTokenText({ name, hash, toolsets, tools, readOnly, rate }: AccessToken): string {
  return [
    `${name}=sha256:${hash.toString('hex')}`,
    ...(toolsets ? [`toolsets=${toolsets.join('+')}`] : []),
    ...(tools ? [`tools=${tools.join('+')}`] : []),
    ...(readOnly ? ['readonly'] : []),
    ...(rate ? [`rate=${rateText(rate)}`] : []),
  ].join(';');
}

/** A rate as it is written, `60/m`. */
export function rateText({ calls, perMs }: Rate): string {
  return `${calls}/${Object.keys(unitsMs).find((unit) => unitsMs[unit] === perMs) ?? 's'}`;
}

/** Reads a rate, `60/m`: calls per second, minute or hour; undefined for anything else. */
export function readRate(text: string): Rate | undefined {
  const [, calls = '', unit = ''] = /^([1-9]\d{0,5})\/([smh])$/.exec(text) ?? [];
  const perMs = unitsMs[unit];
  return perMs === undefined ? undefined : { calls: Number(calls), perMs };
}

function readEntry(entry: string, where: string): AccessToken {
  const [first = '', ...given] = entry.split(';').map((part) => part.trim());
  const match = /^([A-Za-z0-9._-]{1,64})=sha256:([0-9a-fA-F]{64})$/.exec(first);
  if (!match?.[1] || !match[2])
    throw unusable(`${where} is not name=sha256:<64 hex digits>[;option ...]; \`deckhand token add\` writes one`);
  return { name: match[1], hash: Buffer.from(match[2], 'hex'), ...readGrant(given, where) };
}

/** Reads the options of an entry: `toolsets=dns+traffic`, `readonly` and their like. ToolError `not_configured` says where. */
export function readGrant(options: readonly string[], where: string): Grant {
  let grant: Grant = { readOnly: false };
  for (const option of options) grant = { ...grant, ...readOption(option, where, grant) };
  return grant;
}

function readOption(option: string, where: string, sofar: Grant): Partial<Grant> {
  const at = option.indexOf('=');
  const name = at < 0 ? option : option.slice(0, at);
  const value = at < 0 ? undefined : option.slice(at + 1);
  const names = value?.split('+').map((one) => one.trim()) ?? [];
  const listed = names.length > 0 && !names.includes('');
  if (name === 'readonly' && value === undefined && !sofar.readOnly) return { readOnly: true };
  if (name === 'toolsets' && listed && !sofar.toolsets) return { toolsets: known(names, where) };
  if (name === 'tools' && listed && !sofar.tools) return { tools: names };
  const rate = name === 'rate' && value !== undefined && !sofar.rate ? readRate(value) : undefined;
  if (rate) return { rate };
  throw unusable(`${where} has an option that cannot be read, or the same twice; the options are ${options}`);
}

function known(names: readonly string[], where: string): readonly string[] {
  const all: readonly string[] = toolsetNames;
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  const near = nearest(unknown, all);
  throw unusable(`${where}: a toolset is none of ${all.join(', ')}${near ? ` (did you mean ${near}?)` : ''}`);
}

function unusable(message: string): ToolError {
  return new ToolError('not_configured', message);
}
