import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../../build/bin/serverless.mjs', import.meta.url));

/** What a command came to. */
export interface Outcome {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Where a command runs, and with what in its environment beside that of the tests. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** On a terminal of its own, which has one stream for all that is printed: `out`. */
  readonly terminal?: boolean;
}

/** A command that goes on until it is ended. */
export interface RunningCommand {
  /** Resolves with everything printed so far once it holds the text, on stdout or stderr. Rejects when the command ends before. */
  until(stream: 'out' | 'err', text: string): Promise<string>;
  /** Answers what it asks on its terminal. */
  type(line: string): void;
  /** Ends it as Ctrl-C does, or by other signals, sent all at once. */
  interrupt(...signals: readonly NodeJS.Signals[]): Promise<Outcome>;
}

/** Runs the command line to its end. */
export async function runServerless(place: Place, ...args: readonly string[]): Promise<Outcome> {
  return startServerless(place, ...args).ended;
}

/** Starts the command line, to be watched while it runs; it ends with the test. */
export function startServerless(place: Place, ...args: readonly string[]): RunningCommand & { readonly ended: Promise<Outcome> } {
  const child = spawnServerless(place, args);
  const printed = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const add = (stream: 'out' | 'err') => (chunk: string) => {
    printed[stream] += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding('utf8').on('data', add('out'));
  child.stderr?.setEncoding('utf8').on('data', add('err'));
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, ...printed });
      for (const listener of listeners) listener();
    });
  });
  return {
    ended,
    until: (stream, text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (printed[stream].includes(text)) resolve(printed[stream]);
          else if (child.exitCode !== null) reject(new Error(`ended with ${child.exitCode} before it printed "${text}":\n${printed.err}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    type: (line) => void child.stdin?.write(`${line}\n`),
    interrupt: (...signals) => {
      for (const signal of signals.length === 0 ? (['SIGINT'] as const) : signals) child.kill(signal);
      return ended;
    },
  };
}

/** What whoever runs the tests may have of their own: namespaces and tokens, npx, and what is known for showing no colours. */
const own = /^(__OW_|DIGITALOCEAN_|NIMBELLA_|NO_COLOR|FORCE_COLOR|npm_lifecycle_event|(CI|NODE_DISABLE_COLORS|TEAMCITY_VERSION)$)/;

/** A directory that is gone after the test. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-cli-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Why nothing can be run on a terminal here; null where it can: `script` of util-linux makes one. */
export function terminalProblem(): string | null {
  const { stdout, error } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return !error && stdout.includes('util-linux') ? null : 'there is no `script` of util-linux, which runs a command on a terminal';
}

function spawnServerless({ cwd, env = {}, terminal = false }: Place, args: readonly string[]): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  const command = [process.execPath, bin, ...args];
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  // Some shells would stay between the terminal and the command, and end by the Ctrl-C that the command answers.
  const onTerminal = ['script', '--quiet', '--return', '--command', `exec ${quoted}`, '/dev/null'];
  const [program = '', ...words] = terminal ? onTerminal : command;
  const child = spawn(program, words, {
    cwd,
    env: { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: join(cwd, '.config'), TERM: 'xterm-256color', ...env },
    stdio: [terminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
