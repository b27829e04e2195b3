import { DeployError } from '../deploy-error.ts';
import type { Deployment } from '../deployment.ts';
import type { Deployed } from '../functions-api.ts';
import type { JsonObject, Limits, ProjectFunction } from '../project.ts';
import type { Code } from '../source/pack-files.ts';
import { deployedDigest, deployedTriggers, deployerAnnotation } from './deployer-annotation.ts';
import { digest } from './digest.ts';
import { wireAnnotations, wireParameters } from './wire-values.ts';

/** What a function runs: code of a kind, or other functions one after the other, by their names with namespace. */
export type Runs = { readonly code: Code; readonly kind: string } | { readonly components: readonly string[] };

/** A function that is on the host: its version there, the digest of its code and settings, and whether it had been there already. */
export interface PutFunction {
  readonly version: string;
  readonly digest: string;
  readonly unchanged: boolean;
  /** Names of the triggers that the deployment before this one made for it. */
  readonly formerTriggers: readonly string[];
}

/** What the platform sets where a function declares no limit (specification, Limits; platform reference, action entity). */
const DEFAULT_LIMITS: Required<Limits> = { timeout: 3000, memory: 256, logs: 16 };

/** The most code the platform takes, before base64 (platform reference, limits). */
export const CODE_LIMIT_BYTES = 48 * 1024 * 1024;

/**
 * Puts a function (platform reference, REST row 9); what project.yml no longer says is reset on the host. Incremental: untouched when the
 * host has the same digest.
 */
export async function putFunction(
  entry: ProjectFunction,
  runs: Runs,
  { api, projectDir, incremental, annotation }: Deployment,
): Promise<PutFunction> {
  if ('code' in runs) checkSize(runs.code);
  const own = functionDigest(entry, runs);
  const former = await api.action(entry.fullName);
  const formerTriggers = former === null ? [] : deployedTriggers(former.annotations);
  if (incremental && former !== null && deployedDigest(former.annotations) === own) {
    return { version: former.version, digest: own, unchanged: true, formerTriggers };
  }
  const limits = limitsToSend(entry.limits, former);
  const { version } = await api.putAction(entry.fullName, {
    annotations: wireAnnotations({
      ...entry.annotations,
      ...ownAnnotations(entry),
      deployer: deployerAnnotation(projectDir, own, { ...zipped(runs), ...triggerNames(entry), ...annotation }),
    }),
    parameters: wireParameters(entry.parameters, entry.environment),
    exec: exec(entry, runs),
    ...(limits === null ? {} : { limits }),
  });
  return { version, digest: own, unchanged: false, formerTriggers };
}

function checkSize(code: Code): void {
  if (code.bytes <= CODE_LIMIT_BYTES) return;
  throw new DeployError(
    'too_large',
    `the code has ${code.bytes} bytes, the platform takes ${CODE_LIMIT_BYTES} (48 MB): bundle the function, or list less in .include`,
  );
}

function functionDigest(entry: ProjectFunction, runs: Runs): string {
  const { main, web, webSecure, parameters, environment, annotations, limits } = entry;
  const what = 'code' in runs ? { ...codeParts(runs.code), kind: runs.kind } : { components: runs.components };
  return digest({ ...what, main, web, webSecure, parameters, environment, annotations, limits, ...triggerNames(entry) });
}

function codeParts({ code, binary, zipped }: Code): JsonObject {
  return { code, binary, zipped };
}

function exec(entry: ProjectFunction, runs: Runs): JsonObject {
  if ('components' in runs) return { kind: 'sequence', components: runs.components };
  const { code, kind } = runs;
  return { code: code.code, binary: code.binary, kind, ...(entry.main === null ? {} : { main: entry.main }) };
}

function zipped(runs: Runs): JsonObject {
  return 'code' in runs ? { zipped: runs.code.zipped } : {};
}

function triggerNames({ triggers }: ProjectFunction): JsonObject {
  return triggers.length === 0 ? {} : { triggers: triggers.map((trigger) => trigger.name) };
}

function ownAnnotations(entry: ProjectFunction): JsonObject {
  return { final: true, 'web-export': entry.web !== false, 'raw-http': entry.web === 'raw', 'require-whisk-auth': entry.webSecure };
}

/** The host keeps a limit that is not sent: one that was declared before and no longer is must be sent with its default. */
function limitsToSend(declared: Limits, former: Deployed | null): Limits | null {
  const stale = Object.entries(DEFAULT_LIMITS).filter(
    ([name, value]) => former?.limits.has(name) === true && former.limits.get(name) !== value,
  );
  const limits = { ...Object.fromEntries(stale), ...declared };
  return Object.keys(limits).length === 0 ? null : limits;
}
