import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run as runDev } from './dev.ts';
import { run as runEmulator } from './emulator.ts';
import { run as runEmulatorStore } from './emulator-store.ts';
import { run as runGateway } from './gateway.ts';
import { soakHost } from './host/soak.ts';
import { run as runHost } from './host.ts';
import { run as runProbes } from './probes.ts';
import { run as runRouter } from './router.ts';
import { type Row, table } from './row.ts';
import { run as runStart } from './start.ts';

const sections = [
  { name: 'router', title: 'The router', run: () => runRouter() },
  { name: 'gateway', title: 'The gateway beside others', run: () => runGateway() },
  { name: 'host', title: 'The functions host', run: () => runHost() },
  { name: 'dev', title: 'Developing functions', run: () => runDev() },
  { name: 'emulator', title: 'The emulator', run: () => runEmulator() },
  { name: 'start', title: '`npm start` with all functions', run: () => runStart() },
  { name: 'probes', title: 'Uptime checks', run: () => runProbes() },
  { name: 'store', title: 'The emulator with 100,000 records', run: () => runEmulatorStore() },
] as const;

const mostMinutes = 24 * 60;
const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

/**
 * `npm run bench`: measures and prints tables; with the names of sections, only those; with `--write`, all of it goes into docs/performance.md.
 * Never fails on a figure. `npm run bench -- --soak host` runs the host for ten minutes, or `--minutes`, and fails when it loses or leaves something.
 */
export async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    const usage = `npm run bench -- [--write] [${sections.map(({ name }) => name).join('] [')}]\nnpm run bench -- --soak host [--minutes 10]`;
    process.stderr.write(`${asked}\n${usage}\n`);
    return 1;
  }
  return asked.soak ? soak(asked.minutes) : measure(asked.named, asked.write);
}

interface Asked {
  readonly named: readonly string[];
  readonly write: boolean;
  readonly soak: boolean;
  readonly minutes: number;
}

/** What the arguments ask for, or what is wrong with them. */
function readArguments(args: readonly string[]): Asked | string {
  try {
    const options = { write: { type: 'boolean' }, soak: { type: 'boolean' }, minutes: { type: 'string', default: '10' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { write = false, soak = false } = values;
    const minutes = Number(values.minutes);
    const unknown = positionals.find((name) => !sections.some((section) => section.name === name));
    if (unknown !== undefined) return `there is no section "${unknown}"`;
    if (!(minutes > 0 && minutes <= mostMinutes))
      return `--minutes: expected a number above 0, up to ${mostMinutes}, got ${values.minutes}`;
    if (soak && positionals.some((name) => name !== 'host')) return '--soak: only the host is soaked';
    return { named: positionals, write, soak, minutes };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function measure(named: readonly string[], toWrite: boolean): Promise<number> {
  const texts: string[] = [];
  for (const { name, title, run } of sections) {
    if (named.length > 0 && !named.includes(name)) continue;
    const rows: readonly Row[] = await run();
    const text = `## ${title}\n\n${table(rows)}`;
    process.stdout.write(`${text}\n\n`);
    texts.push(text);
  }
  if (toWrite && named.length === 0) write(texts);
  return 0;
}

async function soak(minutes: number): Promise<number> {
  const findings = await soakHost({ minutes });
  const lines = findings.map(({ name, seen, wanted, isGood }) => `| ${name} | ${seen} | ${wanted} | ${isGood ? 'held' : '**broken**'} |`);
  process.stdout.write(`${['| | seen | to hold | |', '|---|---|---|---|', ...lines].join('\n')}\n`);
  return findings.every(({ isGood }) => isGood) ? 0 : 1;
}

function write(texts: readonly string[]): void {
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, \`npm run bench -- --write\``;
  const before = readFileSync(page, 'utf8');
  const [head, tail] = [before.slice(0, before.indexOf(begin)), before.slice(before.indexOf(end))];
  writeFileSync(page, `${head}${begin}\nMeasured on ${machine}.\n\n${texts.join('\n\n')}\n${tail}`);
}
