import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Environment } from '../../deployer/project.ts';
import type { LocalPlatform } from './local-settings.ts';

/**
 * What the function of the webhooks needs on a local start: nobody shows it a platform's token, so it gets the account's; the callers that hooks.yml
 * names are let in, the first with the bearer that is printed, others with `<bearer>.<name>`, since no two may share one; and secrets are also taken from
 * the environment of the start.
 *
 * @param file hooks.yml, which may be missing
 */
export function hookSettings(file: string, { platformToken, token }: LocalPlatform): Environment {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [first = 'local', ...others] = new Set(callersIn(text));
  const callers = [accessToken(first, token), ...others.map((name) => accessToken(name, `${token}.${name}`))];
  return { ...secretsIn(text, process.env), PLATFORM_API_TOKEN: platformToken ?? token, ACCESS_TOKENS: callers.join(',') };
}

function accessToken(name: string, bearer: string): string {
  return `${name}=sha256:${createHash('sha256').update(bearer).digest('hex')}`;
}

/** The names of callers; the build has seen to it that the file is right. */
function callersIn(text: string): readonly string[] {
  // Safe: read from a file of hooks, or empty; whatever is not as expected has no callers.
  const content = parse(text) as { readonly hooks?: Readonly<Record<string, { readonly caller?: unknown } | null>> } | null;
  return Object.values(content?.hooks ?? {}).flatMap((hook) => (typeof hook?.caller === 'string' ? [hook.caller] : []));
}

function secretsIn(text: string, environment: NodeJS.ProcessEnv): Environment {
  const names = [...text.matchAll(/\benv:([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}
