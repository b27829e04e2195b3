import { nearestName } from '../nearest-name.ts';
import type { Environment, JsonObject, Limits, Trigger } from '../project.ts';
import { cronProblem } from './cron.ts';
import type { Located } from './located.ts';
import { environment, flag, names, type Rule, type Rules, readKeys, record, refuse, text, web, webSecure, within } from './rules.ts';

/** What project.yml says of one function, before the disk is asked. */
export interface DeclaredFunction {
  readonly name?: string;
  readonly runtime?: string;
  readonly main?: string;
  readonly web?: boolean | 'raw';
  readonly webSecure?: string | false;
  readonly parameters?: JsonObject;
  readonly environment?: Environment;
  readonly annotations?: JsonObject;
  readonly limits?: Limits;
  readonly triggers?: readonly Trigger[];
  readonly sequence?: readonly string[];
  readonly binary?: boolean;
  readonly file?: string;
  readonly docker?: string;
  readonly remoteBuild?: boolean;
  readonly localBuild?: boolean;
}

/** Languages whose kinds a project may name; only Node.js is deployed, the others are skipped by name. */
export const LANGUAGES = [
  'nodejs',
  'nodejs-lambda',
  'go',
  'php',
  'python',
  'ruby',
  'java',
  'swift',
  'rust',
  'deno',
  'dotnet',
  'typescript',
];

const runtime: Rule<string> = (node, where, report) => {
  const value = text(node, where, report);
  if (value === undefined) return undefined;
  const [language = '', version] = value.split(':');
  if (version === undefined || version === '') return refuse(node, where, 'language:version, for example nodejs:24', report);
  if (!LANGUAGES.includes(language)) {
    const nearest = nearestName(language, LANGUAGES);
    const suggestion = nearest === null ? '' : `; did you mean "${nearest}:${version}"?`;
    report(
      node.line,
      `${where}: "${value}" is no known runtime${suggestion} (those of Node.js: nodejs:14, nodejs:18, nodejs:22, nodejs:24)`,
    );
    return undefined;
  }
  return value;
};

const OWN_KEYS: Readonly<Record<string, string>> = {
  'web-export': 'web: true, false or raw',
  'raw-http': 'web: raw',
  'require-whisk-auth': 'webSecure',
};

const annotations: Rule<JsonObject> = (node, where, report) => {
  const value = record(node, where, report);
  if (node.type !== 'map' || value === undefined) return undefined;
  for (const entry of node.entries) {
    const own = Object.hasOwn(OWN_KEYS, entry.key) ? OWN_KEYS[entry.key] : undefined;
    if (own !== undefined) report(entry.line, `${where}: "${entry.key}" is not set as an annotation: use ${own}`);
  }
  return value;
};

/** The platform's bounds (platform reference, limits). */
const LIMIT_RULES: Rules<Limits> = {
  timeout: within(100, 900_000, 'milliseconds'),
  memory: within(128, 1024, 'MB'),
  logs: within(0, 16, 'MB'),
};
const limits: Rule<Limits> = (node, where, report) => readKeys(node, LIMIT_RULES, where, report);

const triggers: Rule<readonly Trigger[]> = (node, where, report) => {
  if (node.type !== 'list') return refuse(node, where, 'a list of triggers', report);
  return node.items.map((item) => trigger(item, where, report)).filter((read) => read !== undefined);
};

/** The keys of a function (platform reference, project configuration, functions). */
export const FUNCTION_RULES: Rules<DeclaredFunction> = {
  name: text,
  runtime,
  main: text,
  web,
  webSecure,
  parameters: record,
  environment,
  annotations,
  limits,
  triggers,
  sequence: names,
  binary: flag,
  file: text,
  docker: text,
  remoteBuild: flag,
  localBuild: flag,
};

interface DeclaredTrigger {
  readonly name?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly scheduledDetails?: Schedule;
  readonly sourceType?: string;
  readonly sourceDetails?: LegacySchedule;
}
interface Schedule {
  readonly cron?: string;
  readonly body?: JsonObject;
}
interface LegacySchedule {
  readonly cron?: string;
  readonly withBody?: JsonObject;
}

const cron: Rule<string> = (node, where, report) => {
  const value = text(node, where, report);
  const problem = value === undefined ? null : cronProblem(value);
  if (problem !== null) report(node.line, `${where}: ${problem}`);
  return problem === null ? value : undefined;
};

const SCHEDULE_RULES: Rules<Schedule> = { cron, body: record };
const LEGACY_SCHEDULE_RULES: Rules<LegacySchedule> = { cron, withBody: record };
const TRIGGER_RULES: Rules<DeclaredTrigger> = {
  name: text,
  type: (node, where, report) => oneOf(node, 'scheduled', where, report),
  enabled: flag,
  scheduledDetails: (node, where, report) => schedule(node, SCHEDULE_RULES, where, report),
  sourceType: (node, where, report) => oneOf(node, 'scheduler', where, report),
  sourceDetails: (node, where, report) => schedule(node, LEGACY_SCHEDULE_RULES, where, report),
};

function trigger(node: Located, where: string, report: Parameters<Rule<Trigger>>[2]): Trigger | undefined {
  const declared = readKeys(node, TRIGGER_RULES, where, report);
  if (declared === undefined || node.type !== 'map') return undefined;
  const present = new Set(node.entries.map((entry) => entry.key));
  const missing: string[] = [];
  if (!present.has('name')) missing.push('name');
  if (!present.has('type') && !present.has('sourceType')) missing.push('type: scheduled');
  if (!present.has('scheduledDetails') && !present.has('sourceDetails')) missing.push('scheduledDetails with a cron');
  if (missing.length > 0) report(node.line, `${where}: a trigger needs ${missing.join(' and ')}`);
  const expression = declared.scheduledDetails?.cron ?? declared.sourceDetails?.cron;
  if (declared.name === undefined || expression === undefined) return undefined;
  const body = declared.scheduledDetails?.body ?? declared.sourceDetails?.withBody ?? null;
  return { name: declared.name, enabled: declared.enabled ?? true, cron: expression, body };
}

function schedule<S extends object>(node: Located, rules: Rules<S>, where: string, report: Parameters<Rule<S>>[2]): S | undefined {
  if (node.type === 'map' && !node.entries.some((entry) => entry.key === 'cron')) {
    report(node.line, `${where}: a schedule needs cron: five fields, as in "0 5 * * 1"`);
  }
  return readKeys(node, rules, where, report);
}

function oneOf(node: Located, word: string, where: string, report: Parameters<Rule<string>>[2]): string | undefined {
  if (node.type === 'scalar' && typeof node.value === 'string' && node.value.toLowerCase() === word) return word;
  return refuse(node, where, `"${word}"`, report);
}
