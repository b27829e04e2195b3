import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exitOf, startProcess } from '../support/started.ts';
import { blocksUnder, lineOf, wordsOf } from './document.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let data: string;
let elsewhere: string;
/** What `npm start` prints for people. */
let printed = '';
let start: ReturnType<typeof startProcess>;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  start = startProcess(['--data', data, '--port', '0', '--platform-port', '0']);
  await new Promise<void>((resolve, reject) => {
    start.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (/^ {2}Try .*\n/m.test(printed)) resolve();
    });
    start.once('exit', (code) => reject(new Error(`the start ended with ${code}`)));
  });
});
afterAll(async () => {
  start.kill('SIGTERM');
  await exitOf(start);
  for (const dir of [data, elsewhere]) rmSync(dir, { recursive: true, force: true });
});

/** A client with a configuration that names an address. */
async function overHttp({ url, headers }: { readonly url: string; readonly headers: Record<string, string> }): Promise<Client> {
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

/** A client with a configuration that names a program, which it starts in a directory of its own. */
async function asProgram([command = '', ...args]: readonly string[]): Promise<Client> {
  const here = args.map((arg) => arg.replace('/home/me/deckhand/.deckhand', data).replace('/home/me/deckhand', root));
  return connected(new StdioClientTransport({ command, args: here, cwd: elsewhere, stderr: 'ignore' }));
}

async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'first-ten-minutes', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** `claude mcp add --transport http <name> <url> --header "<name>: <value>"`, as that program reads it. */
function addedOverHttp(line: string) {
  const [, , , , , , url = '', , header = ''] = wordsOf(line);
  const [name = '', value = ''] = header.split(': ');
  return { url, headers: { [name]: value } };
}

const printedAfter = (label: string) => lineOf(printed, label).slice(label.length).trim();

function programUnder(heading: string): readonly string[] {
  const [block = ''] = blocksUnder('docs/agents.md', heading, 'json');
  const { command, args } = JSON.parse(block).mcpServers.deckhand;
  return [command, ...args];
}

const program = 'Clients that start a program';
const configurations: readonly (readonly [string, () => Promise<Client>])[] = [
  ['the line for Claude Code that the start prints', () => overHttp(addedOverHttp(printedAfter('Claude Code')))],
  ['the JSON for Cursor that the start prints', () => overHttp(JSON.parse(printedAfter('Cursor')).mcpServers.deckhand)],
  ['the README, with what the start prints', () => overHttp(fromReadme())],
  ['docs/agents.md, a program for Claude Code', () => asProgram(wordsOf(blocksUnder('docs/agents.md', program, 'text')[0] ?? '').slice(5))],
  ['docs/agents.md, a program for the others', () => asProgram(programUnder(program))],
];

/** The README's line, its placeholder filled in by hand; the address is that of the default port. */
function fromReadme() {
  const { url, headers } = addedOverHttp(lineOf(blocksUnder('README.md', 'Three uses', 'text')[0] ?? '', 'claude mcp add'));
  const { origin } = new URL(addedOverHttp(printedAfter('Claude Code')).url);
  const token = /Bearer (dh_\w+)/.exec(printed)?.[1] ?? '';
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('<the token that was printed>', token)]);
  return { url: url.replace('http://127.0.0.1:3233', origin), headers: Object.fromEntries(filled) };
}

interface Called {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Told {
  readonly problems?: readonly { readonly field: string; readonly nearest?: string }[];
  readonly next?: readonly Called[];
}

/** What a call came to: its result, or what its failure says in members that a program reads. */
type Outcome = { readonly result: unknown } | { readonly error: Told };

/** Calls a tool by the way that the configuration leaves: itself, or by the tool that calls the others. */
async function call(client: Client, { tool, arguments: given }: Called): Promise<Outcome> {
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  const sent = listed.includes('tool-run') ? { name: 'tool-run', arguments: { tool, arguments: given } } : { name: tool, arguments: given };
  try {
    const { isError, structuredContent } = await client.callTool(sent);
    // Safe: what a failure's structured content is, docs/calls.md promises; a test that finds it otherwise fails.
    return isError ? (structuredContent as { error: Told }) : { result: structuredContent };
  } catch (failure) {
    if (!(failure instanceof ProtocolError)) throw failure;
    // Safe: likewise, for a name that is no tool's.
    return { error: failure.data as Told };
  }
}

/** The call with each name put right that the error knows a nearest one of: nothing is looked up, and nothing guessed. */
function mended({ tool, arguments: given }: Called, { problems = [] }: Told): Called {
  const right = new Map(problems.map(({ field, nearest }) => [field, nearest ?? field]));
  return {
    tool: right.get('tool') ?? tool,
    arguments: Object.fromEntries(Object.entries(given).map(([name, value]) => [right.get(name) ?? name, value])),
  };
}

describe.each(configurations)("an agent's engineer who configures a client by %s", (way, connect) => {
  // Each makes a domain of its own.
  const Name = `way-${configurations.findIndex(([name]) => name === way)}.example.com`;

  it('calls a tool, and is led from a misspelt tool and argument to the right ones, and from what is not there to what is', async () => {
    const client = await connect();
    const first: Called = { tool: 'domain-crate', arguments: { Nmae: Name, IPAdress: '203.0.113.5' } };
    const unknown = await call(client, first);
    expect(unknown).toMatchObject({ error: { code: 'unknown_tool' } });
    const second = mended(first, 'error' in unknown ? unknown.error : {});
    const invalid = await call(client, second);
    expect(invalid).toMatchObject({ error: { code: 'invalid_arguments' } });
    const third = mended(second, 'error' in invalid ? invalid.error : {});
    expect(await call(client, third)).toMatchObject({ result: { name: Name } });

    const missing = await call(client, { tool: 'domain-get', arguments: { Name: `not-${Name}` } });
    expect(missing).toMatchObject({ error: { code: 'not_found', next: [{ tool: expect.any(String) }] } });
    for (const next of 'error' in missing ? (missing.error.next ?? []) : []) {
      expect(JSON.stringify(await call(client, next))).toContain(Name);
    }
  });
});
