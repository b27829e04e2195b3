import { DeployError } from '../deploy-error.ts';
import type { Deployment } from '../deployment.ts';
import type { Deployed } from '../functions-api.ts';
import type { JsonObject, Limits, ProjectFunction } from '../project.ts';
import type { Code } from '../source/pack-files.ts';
import { deployedDigest, deployerAnnotation } from './deployer-annotation.ts';
import { digest } from './digest.ts';
import { wireAnnotations, wireParameters } from './wire-values.ts';

/** A function that is on the host: its version there, the digest of its code and settings, and whether it had been there already. */
export interface PutFunction {
  readonly version: string;
  readonly digest: string;
  readonly unchanged: boolean;
}

/** What the platform sets where a function declares no limit (specification, Limits; platform reference, action entity). */
const DEFAULT_LIMITS: Required<Limits> = { timeout: 3000, memory: 256, logs: 16 };

const CODE_LIMIT_BYTES = 48 * 1024 * 1024;

/**
 * Puts a function (platform reference, REST row 9); what project.yml no longer says is reset on the host. Incremental: untouched when the
 * host has the same digest.
 */
export async function putFunction(
  entry: ProjectFunction,
  code: Code,
  kind: string,
  { api, projectDir, incremental }: Deployment,
): Promise<PutFunction> {
  if (code.bytes > CODE_LIMIT_BYTES) {
    throw new DeployError(
      'too_large',
      `the code has ${code.bytes} bytes, the platform takes ${CODE_LIMIT_BYTES} (48 MB): bundle the function, or list less in .include`,
    );
  }
  const own = functionDigest(entry, code, kind);
  const former = await api.action(entry.fullName);
  if (incremental && former !== null && deployedDigest(former.annotations) === own) {
    return { version: former.version, digest: own, unchanged: true };
  }
  const limits = limitsToSend(entry.limits, former);
  const { version } = await api.putAction(entry.fullName, {
    annotations: wireAnnotations({
      ...entry.annotations,
      ...ownAnnotations(entry),
      deployer: deployerAnnotation(projectDir, own, { zipped: code.zipped }),
    }),
    parameters: wireParameters(entry.parameters, entry.environment),
    exec: { code: code.code, binary: code.binary, kind, ...(entry.main === null ? {} : { main: entry.main }) },
    ...(limits === null ? {} : { limits }),
  });
  return { version, digest: own, unchanged: false };
}

function functionDigest(entry: ProjectFunction, { code, binary, zipped }: Code, kind: string): string {
  const { main, web, webSecure, parameters, environment, annotations, limits } = entry;
  return digest({ code, binary, zipped, kind, main, web, webSecure, parameters, environment, annotations, limits });
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
