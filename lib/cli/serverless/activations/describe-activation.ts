import { type Activation, annotationOf } from '../api/wire.ts';
import { emphasized, muted } from '../output/print.ts';
import { shortTime } from '../output/times.ts';

/** How an activation ended, in the words of the platform's command line; by the record's number. */
const outcomes = ['success', 'application error', 'developer error', 'system error'];

export function outcomeOf({ statusCode }: Activation): string {
  return outcomes[statusCode ?? -1] ?? 'unknown';
}

/** `package/function`, or `function`. The record's path is `namespace/package/function`. */
export function functionOf(activation: Activation): string {
  const packageName = packageOf(activation);
  return packageName === '' ? activation.name : `${packageName}/${activation.name}`;
}

/** The package of an activation's function; empty for the default package. */
export function packageOf(activation: Activation): string {
  const path = annotationOf(activation, 'path');
  const segments = typeof path === 'string' ? path.split('/') : [];
  return segments.length === 3 ? (segments[1] ?? '') : '';
}

/** What a run that failed failed with, in words; null for one that did not, or said nothing. */
export function failureOf({ statusCode, response }: Activation): string | null {
  const result = response?.result;
  const error = statusCode !== 0 && typeof result === 'object' && result !== null && 'error' in result ? result.error : null;
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
  return typeof message === 'string' ? message : null;
}

/** The line that says which activation is shown. */
export function banner(activation: Activation): string {
  const { activationId, version, end, start } = activation;
  const words = `${activationId} ${outcomeOf(activation)} ${shortTime(end ?? start)} ${functionOf(activation)}:${version}`;
  return `${muted('===')} ${emphasized(words)}`;
}

/** A line of a log without its time and stream: `2022-05-13T15:13:11.580825656Z stdout: Hello` is `Hello`. */
export function stripped(line: string): string {
  return line.replace(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:.*?: /, '');
}
