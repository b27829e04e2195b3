import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CliError } from '../cli-error.ts';
import { type Fixture, fixtures } from './fixtures.ts';
import type { DescribedHook, HooksClient } from './hooks-client.ts';
import { signDelivery } from './sign-delivery.ts';

export interface SendOptions {
  readonly fixture?: string;
  readonly file?: string;
  readonly settings: string;
  readonly dryRun: boolean;
}

/**
 * Signs a fixture, or a file, as the hook's sender would, and posts it. Resolves to what the function answers.
 *
 * @throws CliError no such hook, fixture or file; a secret that is not known here
 */
export async function sendDelivery(name: string, options: SendOptions, client: HooksClient): Promise<string> {
  const { contentType, headers = {}, body } = contentOf(options);
  const hook = await hookNamed(name, client);
  const signed = signDelivery(hook, body, secretOf(hook, options.settings));
  const dryRun = { 'x-deckhand-dry-run': String(options.dryRun) };
  const { text } = await client.post(
    signed.path,
    { 'content-type': contentType, 'user-agent': 'deckhand-hooks', ...headers, ...signed.headers, ...dryRun },
    body,
  );
  return text;
}

function contentOf({ fixture, file }: SendOptions): Fixture {
  if ((fixture === undefined) === (file === undefined)) throw new CliError('send takes one of --fixture and --file');
  if (file !== undefined) {
    if (!existsSync(file)) throw new CliError(`--file ${file}: there is no such file`);
    const body = readFileSync(file, 'utf8');
    return { contentType: /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded', body };
  }
  const found = fixtures[fixture ?? ''];
  if (found) return found;
  throw new CliError(`--fixture ${fixture}: there is none of that name; there are ${Object.keys(fixtures).join(', ')}`);
}

async function hookNamed(name: string, client: HooksClient): Promise<DescribedHook> {
  // Safe: this is what the function describes its hooks with.
  const hooks = (await client.list('/', 'hooks')) as readonly DescribedHook[];
  const found = hooks.find((hook) => hook.name === name);
  if (found) return found;
  throw new CliError(`there is no hook ${name}; there are ${hooks.map((hook) => hook.name).join(', ')}`);
}

/** A secret of the hook, out of the environment or the settings file. */
function secretOf({ name, secrets }: DescribedHook, settings: string): string {
  const inFile = existsSync(settings) ? parseEnv(readFileSync(settings, 'utf8')) : {};
  const secret = secrets.map((variable) => process.env[variable]?.trim() || inFile[variable]?.trim()).find(Boolean);
  if (secret) return secret;
  throw new CliError(`the secret of ${name} is not known here: set ${secrets.join(' or ')} in the environment or in ${settings}`);
}
