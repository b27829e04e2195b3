import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { run as runEmulator } from './emulator.ts';
import { run as runEmulatorStore } from './emulator-store.ts';
import { run as runHost } from './host.ts';
import { run as runRouter } from './router.ts';
import { type Row, table } from './row.ts';
import { run as runStart } from './start.ts';

const sections = [
  { name: 'router', title: 'The router', run: () => runRouter() },
  { name: 'host', title: 'The functions host', run: () => runHost() },
  { name: 'emulator', title: 'The emulator', run: () => runEmulator() },
  { name: 'start', title: '`npm start` with all functions', run: () => runStart() },
  { name: 'store', title: 'The emulator with 100,000 records', run: () => runEmulatorStore() },
] as const;

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

/**
 * `npm run bench`: measures and prints tables; with the names of sections, only those; with `--write`, all of it goes into docs/performance.md.
 * Never fails on a figure.
 */
export async function main(args: readonly string[]): Promise<number> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.find((name) => !sections.some((section) => section.name === name));
  if (unknown !== undefined || args.some((arg) => arg.startsWith('--') && arg !== '--write')) {
    process.stderr.write(`npm run bench -- [--write] [${sections.map(({ name }) => name).join('] [')}]\n`);
    return 1;
  }
  const texts: string[] = [];
  for (const { name, title, run } of sections) {
    if (named.length > 0 && !named.includes(name)) continue;
    const rows: readonly Row[] = await run();
    const text = `## ${title}\n\n${table(rows)}`;
    process.stdout.write(`${text}\n\n`);
    texts.push(text);
  }
  if (args.includes('--write') && named.length === 0) write(texts);
  return 0;
}

function write(texts: readonly string[]): void {
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, \`npm run bench -- --write\``;
  const before = readFileSync(page, 'utf8');
  const [head, tail] = [before.slice(0, before.indexOf(begin)), before.slice(before.indexOf(end))];
  writeFileSync(page, `${head}${begin}\nMeasured on ${machine}.\n\n${texts.join('\n\n')}\n${tail}`);
}
