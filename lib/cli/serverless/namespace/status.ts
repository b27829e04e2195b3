import manifest from '../../../../package.json' with { type: 'json' };
import { namespaceClient } from '../api/namespace-client.ts';
import type { HostInfo } from '../api/wire.ts';
import type { AccountOptions, OutputOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { type FoundTarget, resolveTarget } from '../target/resolve-target.ts';

export interface StatusOptions extends AccountOptions, OutputOptions {
  readonly languages?: boolean;
  readonly version?: boolean;
  readonly credentials?: boolean;
}

const found: Readonly<Record<FoundTarget['source'], string>> = {
  flags: 'by --apihost and --auth',
  environment: 'by __OW_API_HOST and __OW_API_KEY in the environment',
  local: 'as the host of this machine',
  connected: 'by serverless connect',
};

/** `status`: which namespace commands work on, tried, and why that one. */
export async function status(options: StatusOptions): Promise<void> {
  if (options.version) {
    if (options.output === 'json') printJson({ version: manifest.version });
    else printLine(manifest.version);
    return;
  }
  const target = resolveTarget(options);
  const client = namespaceClient(target);
  const namespace = await client.namespace();
  const { origin: apihost } = client;
  if (options.credentials) {
    printJson({ auth: target.auth, apihost, namespace, path: target.file });
    return;
  }
  const info = options.languages ? await client.info() : null;
  if (options.output === 'json') {
    printJson({
      apihost,
      namespace,
      source: target.source,
      path: target.file,
      version: manifest.version,
      ...(info && { runtimes: info.runtimes }),
    });
    return;
  }
  printLine(`Connected to functions namespace '${namespace}' on API host '${apihost}'`);
  printLine(`Found ${found[target.source]}${target.file === null ? '' : ` (${target.file})`}`);
  printLine(`Serverless software version is ${manifest.version}`);
  if (info) for (const line of languageLines(info)) printLine(line);
}

/** The words that `init --language` takes, by the host's name of the language. */
const keywords: Readonly<Record<string, string>> = { nodejs: 'javascript, js, typescript, ts' };

function languageLines({ runtimes }: HostInfo): readonly string[] {
  const languages = Object.entries(runtimes).flatMap(([language, kinds]) => [
    `${language}:`,
    ...(keywords[language] === undefined ? [] : [`  Keywords: ${keywords[language]}`]),
    '  Runtime versions:',
    ...kinds.map((kind) => `    ${kind.kind}${kind.deprecated ? ' (deprecated)' : kind.default ? ` (${language}:default)` : ''}`),
  ]);
  return ['Supported languages:', ...languages];
}
