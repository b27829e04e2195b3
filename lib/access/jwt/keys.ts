import type { JSONWebKeySet } from 'jose';
import { isRecord } from '../../catalogue/is-record.ts';
import { ToolError } from '../../errors.ts';
import type { Budget } from '../../functions/budget.ts';
import type { JwtKeys } from '../../functions/jwt-settings.ts';

/** So long keys are used without looking again. */
const freshMs = 10 * 60_000;
/** So long they are used where the issuer cannot be asked. */
const usableMs = 60 * 60_000;
/** No more often than this is looked again for a key that is not known: anybody can make up the name of one. */
const pauseMs = 30_000;
const longestFetchMs = 5000;

interface Fetched {
  readonly keys: JSONWebKeySet;
  readonly at: number;
  /** When they were last asked for, in vain or not. */
  readonly triedAt: number;
}

/** What this instance has fetched, by address. */
const fetched = new Map<string, Fetched>();

/** The issuer's keys. */
export interface IssuerKeys {
  readonly keys: JSONWebKeySet;
  /** It may have others by now, and can be asked. */
  readonly aged: boolean;
}

/**
 * The keys that tokens are verified with: those of the setting, or those that the issuer publishes, as this instance last fetched them.
 *
 * @param renewed fetch them anew, if that was not done just now
 * @throws ToolError `platform_unavailable` where they cannot be had
 */
export async function issuerKeys(source: JwtKeys, budget: Budget, renewed = false): Promise<IssuerKeys> {
  // Safe: the setting was read as a set of keys.
  if ('jwks' in source) return { keys: JSON.parse(source.jwks) as JSONWebKeySet, aged: false };
  const now = Date.now();
  const held = fetched.get(source.url);
  const mayTry = !held || now - held.triedAt >= pauseMs;
  const fresh = held !== undefined && now - held.at < freshMs && !renewed;
  if (isUsable(held, now) && (fresh || !mayTry)) return { keys: held.keys, aged: mayTry };
  try {
    const keys = await fetchKeys(source.url, budget);
    fetched.set(source.url, { keys, at: now, triedAt: now });
    return { keys, aged: false };
  } catch (failure) {
    // Another call may have had them meanwhile.
    const latest = fetched.get(source.url);
    if (latest) fetched.set(source.url, { ...latest, triedAt: now });
    if (isUsable(latest, now)) return { keys: latest.keys, aged: false };
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new ToolError(
      'platform_unavailable',
      `the issuer's keys (JWT_KEYS) cannot be read, so no token can be verified: ${reason}; nothing was done`,
      { cause: failure },
    );
  }
}

function isUsable(held: Fetched | undefined, now: number): held is Fetched {
  return held !== undefined && now - held.at < usableMs;
}

async function fetchKeys(url: string, { signal }: Budget): Promise<JSONWebKeySet> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestFetchMs)]),
  });
  if (!answer.ok) throw new Error(`they were answered ${answer.status}`);
  const value: unknown = await answer.json();
  if (!isRecord(value) || !Array.isArray(value.keys) || !value.keys.every(isRecord)) throw new Error('the answer is no set of keys');
  // Safe: whether a key can be used is looked at where it is.
  return value as unknown as JSONWebKeySet;
}
