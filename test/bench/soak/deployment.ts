import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Ready } from '../../../lib/cli/start/start-options.ts';
import { temporary } from '../host/deployed.ts';
import type { Holdings } from './holdings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tellHoldings = fileURLToPath(new URL('./tell-holdings.ts', import.meta.url));
const nodeOptions = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--import', tellHoldings];

/** What the hooks of this project verify their senders by. */
export const hookSecrets = {
  GITHUB_WEBHOOK_SECRET: 'soak-github-secret',
  SLACK_SIGNING_SECRET: 'soak-slack-secret',
  UPTIME_HOOK_TOKEN: 'soak-uptime-token',
} as const;

/** What `npm start` runs, on free ports and in directories of its own. */
export interface Deployment extends AsyncDisposable {
  readonly ready: Ready;
  /** The process that emulator and host live in. */
  readonly pid: number;
  readonly dataDir: string;
  /** Where its functions run, and whatever else is temporary. */
  readonly workDir: string;
  holdings(): Promise<Holdings>;
  /** Tells it to end as a terminal does; resolves to its exit code, or to `still running` after ten seconds. */
  end(): Promise<number | null | 'still running'>;
}

/** Starts it, and waits until it is ready. */
export async function startDeployment(): Promise<Deployment> {
  const [dataDir, workDir] = [temporary(), temporary()];
  const args = ['start', '--json', '--port', '0', '--platform-port', '0', '--data', join(dataDir, 'state')];
  const child = spawn(process.execPath, [...nodeOptions, 'build/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, ...hookSecrets, TMPDIR: workDir },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const early = exited.then(([code]) => {
    throw new Error(`the deployment ended with ${code} before it was ready`);
  });
  early.catch(() => undefined);
  // A soak that fails on the way leaves nothing running.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  // Safe: 'ipc' was asked for, so that there is a stdout of its own.
  const [line] = await Promise.race([once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'), early]);
  // Safe: this is the line that --json promises.
  const ready = JSON.parse(line) as Ready;
  const end: Deployment['end'] = async () => {
    child.kill('SIGTERM');
    const gone = exited.then(([code]) => code as number | null);
    return Promise.race([gone, setTimeout(10_000, 'still running' as const, { ref: false })]);
  };
  return {
    ready,
    pid: ready.pid,
    dataDir,
    workDir,
    async holdings() {
      const told = once(child, 'message');
      child.send({});
      // Safe: tell-holdings.ts says nothing else.
      return (await told)[0] as Holdings;
    },
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        kill();
        await exited;
      }
      process.off('exit', kill);
      for (const directory of [dataDir, workDir]) rmSync(directory, { recursive: true, force: true });
    },
  };
}
