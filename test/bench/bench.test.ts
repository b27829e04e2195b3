import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sections } from './harness/sections.ts';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const bench = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, [runner, 'bench', ...args], { env: { ...process.env, ...environment } });

describe('the quick form of the measurements', () => {
  let dir: string;
  let printed: string;
  let told: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
    ({ stdout: printed, stderr: told } = await bench(['--quick', '--write', '--into', dir]));
  }, 300_000);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const measured = sections.filter(({ slowBecause }) => slowBecause === undefined);

  it.each(measured)('measures $name, beside a control in every table', ({ title }) => {
    const tables = sectionOf(printed, title).split('\n### ').slice(1);
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expect(table).toMatch(/^\|.*\| the control \|/m);
  });

  it('leaves out what takes its minutes, and says why', () => {
    expect(sectionOf(printed, 'Uptime checks')).toContain('Left out of the quick form: ');
  });

  it('shows medians with their ends, and every mark with a verdict', () => {
    expect(printed).toMatch(/\| [\d.,]+ ms \([\d.,]+-[\d.,]+\) \|/);
    const marks = printed.split('\n').filter((line) => line.includes('<= ') || line.includes('>= '));
    expect(marks.length).toBeGreaterThan(10);
    for (const line of marks) expect(line).toMatch(/\| (reached|\*\*missed\*\*|unsteady) \|/);
  });

  it('tells on stderr what it measures, and how far each control moved', () => {
    for (const { name } of measured) expect(told).toMatch(new RegExp(`^${name}\n.*the control moved by \\d+ %`, 'ms'));
  });

  it('writes a page whose plots are there', () => {
    const page = readFileSync(join(dir, 'performance.md'), 'utf8');
    const plots = [...page.matchAll(/\]\(performance\/([\w-]+\.svg)\)/g)].map(([, name]) => name ?? '');
    expect(plots).toContain('verdicts.svg');
    expect(readdirSync(join(dir, 'performance')).sort()).toEqual(plots.sort());
    for (const name of plots) expect(readFileSync(join(dir, 'performance', name), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  it('is compared with what was written last', async () => {
    const { stdout } = await bench(['--quick', '--into', dir, 'emulator']);
    expect(stdout).toMatch(/\| of that of \d{4}-\d\d-\d\d \|/);
    expect(stdout).toMatch(/\| the emulator \|.*\| [\d.,]+x \|\n/);
  });
});

describe('a section that cannot be measured', () => {
  it('is told in its place, and keeps nobody else from being measured', async () => {
    const { stdout } = await bench(['--quick', 'router', 'dev', 'emulator'], { TMPDIR: '/nowhere' });
    expect(sectionOf(stdout, 'The router')).toContain('| the control |');
    expect(sectionOf(stdout, 'Developing functions')).toContain('Could not be measured: ENOENT');
    expect(sectionOf(stdout, 'The emulator')).toMatch(/Could not be measured: .*emulator\/main\.ts ended with \d+/);
  });
});

describe('a measurement of what there is none of', () => {
  it.each([
    [['speed'], 'there is no section "speed"'],
    [['--into', '/nowhere'], '--into: there is no directory /nowhere'],
    [['--quick', '--write'], '--quick --write: its figures say too little for docs/'],
  ])('%s is refused', async (args, message) => {
    await expect(bench(args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});

function sectionOf(text: string, title: string): string {
  return text.split(/^(?=## )/m).find((section) => section.startsWith(`## ${title}\n`)) ?? '';
}
