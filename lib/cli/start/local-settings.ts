import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment, Project } from '../../deployer/project.ts';
import type { EnvironmentOf } from '../../host/start-host.ts';
import { keptToken, tokenFile } from '../kept-token.ts';

/** What the functions of a local start are to use. */
export interface LocalPlatform {
  readonly platformUrl: string;
  /** The account's own token, for a real account; absent: callers show the platform's token and it is passed on. */
  readonly platformToken?: string;
  /** The bearer that is printed. */
  readonly token: string;
  /** The file in which the functions keep what they must agree on; absent: they keep nothing. */
  readonly storeFile?: string;
}

/** Settings that say which platform is called and by whom; a local start decides them itself. */
const decidedHere = /^(PLATFORM_API_URL|PLATFORM_API_TOKEN|ACCESS_TOKENS|JWT_.*)$/;

/** The function that webhooks are sent to. */
const hooks = 'gateway/hooks';

/**
 * The settings of a local start for the functions of its project, in place of those they are deployed with, by the start itself or by anybody later; other
 * settings stay, and so do other functions. On the emulator nobody is asked to confirm, unless the settings say otherwise: there is nothing to lose. What
 * is handed out to come back is sealed with a key that is the same at every start.
 *
 * @param ofHooks what the function of the webhooks has beside it
 */
export function localSettings(project: Project, platform: LocalPlatform, ofHooks: Environment): EnvironmentOf {
  const own = new Set(project.packages.flatMap((pack) => pack.functions.map((one) => one.fullName)));
  const local = localEnvironment(platform);
  const initial: Environment = {
    SEAL_KEY: createHash('sha256').update(`deckhand/seal ${platform.token}`).digest('hex'),
    ...(platform.platformToken === undefined && { CONFIRM: 'off' }),
    ...(platform.storeFile !== undefined && { KV_URL: pathToFileURL(platform.storeFile).href }),
  };
  return (name, deployed) => {
    if (!own.has(name)) return deployed;
    const kept = Object.entries(deployed).filter(([setting]) => !decidedHere.test(setting));
    return { ...initial, ...Object.fromEntries(kept), ...local, ...(name === hooks && ofHooks) };
  };
}

function localEnvironment({ platformUrl, platformToken, token }: LocalPlatform): Environment {
  if (platformToken === undefined) return { PLATFORM_API_URL: platformUrl };
  const hash = createHash('sha256').update(token).digest('hex');
  return { PLATFORM_API_URL: platformUrl, PLATFORM_API_TOKEN: platformToken, ACCESS_TOKENS: `local=sha256:${hash}` };
}

/** The bearer of a data directory: made once, the same at every start. */
export function localToken(dataDir: string): string {
  const kept = keptToken(dataDir);
  if (kept !== undefined) return kept;
  const token = `dh_${randomBytes(24).toString('hex')}`;
  writeFileSync(tokenFile(dataDir), `${token}\n`, { mode: 0o600 });
  return token;
}

/** project.yml reads settings.env; a fresh clone gets one out of the committed example. */
export function ensureSettingsFile(root: string): void {
  const file = join(root, 'settings.env');
  if (!existsSync(file)) copyFileSync(join(root, 'settings.env.example'), file);
}
