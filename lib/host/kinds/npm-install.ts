import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

const installTimeoutMs = 5 * 60 * 1000;
const mostTextBytes = 64 * 1024;
/** Without a network npm would try for more than a minute before it says so. */
const options = [
  ...['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=200'],
];

/** The code where there is no npm on this machine. */
export const NO_NPM = 'NO_NPM';

/** The code where a dependency is a git repository that cannot be read. */
export const NO_REPOSITORY = 'NO_REPOSITORY';

/** npm could not install something: its reason, in a line. */
export class NpmError extends Error {
  /** npm's code for the reason, such as `E404`; that of the system, or NO_NPM, where npm could not be started; NO_REPOSITORY. */
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NpmError';
    this.code = code;
  }
}

/**
 * Installs packages with npm into `prefix`, without running anything of theirs. `signal` ends npm and whatever it started. NpmError where they
 * are not installed then.
 */
export async function npmInstall(wanted: readonly string[], prefix: string, signal: AbortSignal): Promise<void> {
  const npmScript = process.env.npm_execpath;
  // Started by npm, its own script is the one npm that is certainly there; otherwise the one on the PATH.
  const [command, ...before] = npmScript && basename(npmScript) === 'npm-cli.js' ? [process.execPath, npmScript] : ['npm'];
  const timeout = AbortSignal.timeout(installTimeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  ended.throwIfAborted();
  const npm = spawn(command, [...before, 'install', ...options, '--prefix', prefix, ...wanted], {
    cwd: prefix,
    // A group of its own, so that what npm starts ends with it; and nobody is there to answer a question.
    detached: true,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = (): void => endGroup(npm.pid);
  ended.addEventListener('abort', end);
  try {
    let said = '';
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < mostTextBytes) said += text;
    });
    const [code] = await once(npm, 'close').catch(notStarted);
    if (timeout.aborted) throw new NpmError(`npm was not done after ${installTimeoutMs / 1000} s`, 'ETIMEDOUT');
    if (signal.aborted) throw new NpmError('it was broken off');
    if (code !== 0) throw failureIn(said);
  } finally {
    ended.removeEventListener('abort', end);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function notStarted(error: NodeJS.ErrnoException): never {
  const isMissing = error.code === 'ENOENT';
  throw new NpmError(isMissing ? 'there is no npm' : error.message, isMissing ? NO_NPM : error.code, { cause: error });
}

function failureIn(said: string): NpmError {
  const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  // Of git npm tells the exit code and its command; why it failed stands in the line behind.
  const git = lines.findIndex((line) => line.startsWith('command git '));
  const repository = lines[git]?.split(' ').find((word) => word.includes('://'));
  if (repository) return new NpmError(`git cannot read ${repository}: ${lines[git + 1] || 'it gave no reason'}`, NO_REPOSITORY);
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length);
  const sentence = lines.find((line) => line.split(' ').length > 3);
  return new NpmError([code, sentence].filter((part) => part !== undefined).join(': ') || 'npm gave no reason', code);
}
