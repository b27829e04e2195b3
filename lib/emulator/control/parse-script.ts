import { SECOND_MS, spanMs } from '../calendar.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { policyTypes } from '../resources/alert-policies/types.ts';
import { isPercent, measuresOf } from '../resources/metrics/gauges.ts';
import { policyMeasure } from '../resources/metrics/policy-gauge.ts';
import type { Script, Shape } from '../resources/metrics/scripts.ts';
import { findSubject, type Subject, type SubjectKind } from '../resources/metrics/subjects.ts';
import type { Account } from '../store/account.ts';
import { refuseUnknownKeys } from './known-keys.ts';
import { type Moment, toMomentMs } from './move-clock.ts';

/** What a measure of a resource is to be for a while: one shape, from now on or from a moment, until another or for a span, or for ever. */
export interface ScriptDescription extends Shape {
  /** The id of an instance, a load balancer or a database cluster. */
  readonly resource: string | number;
  /** The name of a measure, or the type of an alert policy on it. */
  readonly metric: string;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly for?: number | string;
}

/** What is wanted of a series, and of what kind of resource. */
export interface ScriptOrder {
  readonly kind: SubjectKind;
  readonly script: Omit<Script, 'id'>;
}

const SHAPES = ['constant', 'ramp', 'spike', 'list'] as const;
const MAX_LIST = 1000;
const MAX_VALUE = 1e12;

/** Reads the description of a script, at the account's moment. Errors: 400 naming what is not understood, and what could be meant. */
export function parseScript(account: Account, body: JsonObject): ScriptOrder {
  refuseUnknownKeys('metrics', body, ['resource', 'metric', 'from', 'to', 'for', ...SHAPES]);
  const { resource } = body;
  const subject = typeof resource === 'string' || typeof resource === 'number' ? findSubject(account, String(resource)) : undefined;
  if (subject === undefined) {
    throw badRequest(
      `metrics: resource must be the id of an instance, a load balancer or a database cluster of this account, not ${JSON.stringify(resource)}.`,
    );
  }
  const metric = parseMetric(subject, body.metric);
  const shape = parseShape(body, isPercent(subject.kind, metric) ? 100 : MAX_VALUE);
  return { kind: subject.kind, script: { resource: subject.id, metric, ...parseTime(account, body, shape), ...shape } };
}

function parseMetric(subject: Subject, value: unknown): string {
  const { kind } = subject;
  const known = measuresOf(subject);
  const given = typeof value === 'string' ? value : '';
  const name = policyTypes.get(given)?.watches === kind ? policyMeasure(given) : given;
  if (!known.includes(name)) {
    throw badRequest(
      `metrics: metric of this ${kind} must be one of ${known.join(', ')}, or the type of an alert policy on one, not ${JSON.stringify(value)}.`,
    );
  }
  return name;
}

function parseShape(body: JsonObject, most: number): Shape {
  const given = SHAPES.filter((shape) => body[shape] !== undefined);
  const [shape] = given;
  if (shape === undefined || given.length > 1) {
    throw badRequest(`metrics: say how it goes with one of ${SHAPES.join(', ')}.`);
  }
  const value = body[shape];
  const isValue = (each: unknown): boolean => typeof each === 'number' && each >= 0 && each <= most;
  const fits =
    shape === 'constant' || shape === 'spike'
      ? isValue(value)
      : Array.isArray(value) &&
        value.every(isValue) &&
        (shape === 'ramp' ? value.length === 2 : value.length > 0 && value.length <= MAX_LIST);
  if (!fits) {
    throw badRequest(`metrics: ${shape} must be ${WANTED[shape]} from 0 to ${most}.`);
  }
  return { [shape]: value };
}

const WANTED: Readonly<Record<(typeof SHAPES)[number], string>> = {
  constant: 'a number',
  ramp: 'two numbers',
  spike: 'a number',
  list: `1 to ${MAX_LIST} numbers`,
};

function parseTime(account: Account, body: JsonObject, shape: Shape): Pick<Script, 'from' | 'to'> {
  const fromMs = body.from === undefined ? account.nowMs : toMomentMs('from', body.from);
  const lastsMs = spanMs(body.for);
  if (body.for !== undefined && (body.to !== undefined || lastsMs === undefined)) {
    throw badRequest('metrics: for must be a number of seconds or a text like "90s", "5m", "2h" or "30d", and leaves no room for to.');
  }
  const toMs =
    body.to === undefined ? (lastsMs === undefined ? undefined : toMomentMs('for', fromMs + lastsMs)) : toMomentMs('to', body.to);
  if (toMs === undefined && shape.constant === undefined) {
    throw badRequest('metrics: say when it ends, with to or for; only a constant goes on for ever.');
  }
  if (toMs !== undefined && toMs < fromMs + SECOND_MS) {
    throw badRequest('metrics: it must end at least a second after it begins.');
  }
  return { from: new Date(fromMs).toISOString(), to: toMs === undefined ? null : new Date(toMs).toISOString() };
}
