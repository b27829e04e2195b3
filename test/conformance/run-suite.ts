import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The revisions whose requirements are held. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance');
const longestMs = 120_000;

/** What the suite found of one server at one revision. */
export interface SuiteRun {
  readonly revision: string;
  /** The suite's own verdict: 0 when every scored scenario passed. */
  readonly exitCode: number | null;
  readonly scenarios: readonly ScenarioRun[];
  /** Scenarios that the revision scores and the suite has no results of. */
  readonly missing: readonly string[];
  /** What it printed. */
  readonly output: string;
}

export interface ScenarioRun {
  readonly name: string;
  /** Whether the revision's requirements count it; the others are extensions, and what the suite's own server does not pass yet. */
  readonly scored: boolean;
  readonly passed: number;
  /** Checks that do not apply, with the suite's reason. */
  readonly skipped: readonly string[];
  /** Checks that failed, and warnings: what a server should do is done as well. */
  readonly complaints: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: { readonly note?: string; readonly message?: string };
}

/** Runs the official suite's server scenarios for a revision, as its requirements name them. It needs no network but the server. */
export async function runSuite(url: string, revision: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-conformance-results-'));
  try {
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const { exitCode, output } = await run([join(suite, 'dist/index.js'), ...args], folder);
    const { scored, all } = requirementsOf(revision);
    const found = readdirSync(folder).map((name) => scenarioOf(folder, name, scored));
    const missing = all.filter((name) => !found.some((scenario) => scenario.name === name));
    return { revision, exitCode, scenarios: found, missing, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scenarios that a revision asks of servers. */
function requirementsOf(revision: string): { readonly scored: ReadonlySet<string>; readonly all: readonly string[] } {
  // The suite checks the shape of its own files.
  const file = parse(readFileSync(join(suite, `requirements/${revision}.yaml`), 'utf8')) as {
    readonly server: readonly string[];
    readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
  };
  const others = file.not_scored.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario);
  return { scored: new Set(file.server), all: [...file.server, ...others] };
}

/** Results are in `server-<scenario>-<time>/checks.json`. */
function scenarioOf(folder: string, entry: string, scored: ReadonlySet<string>): ScenarioRun {
  const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  // Written by the suite just now.
  const checks = JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8')) as readonly Check[];
  const of = (...statuses: Check['status'][]) => checks.filter(({ status }) => statuses.includes(status));
  return {
    name,
    scored: scored.has(name),
    passed: of('SUCCESS').length,
    skipped: of('SKIPPED').map(({ id, details, errorMessage }) => `${id}: ${details?.note ?? details?.message ?? errorMessage ?? ''}`),
    complaints: of('FAILURE', 'WARNING').map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`),
  };
}

function run(args: readonly string[], cwd: string): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
