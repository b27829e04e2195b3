import { spawn } from 'node:child_process';
import { SetupError } from './setup-error.mjs';

/** Says to the process handed over to that its parent listens on the channel between them. */
const HANDED_OVER = 'DECKHAND_HANDED_OVER';

/**
 * Goes on in another Node: same arguments, same streams, same exit code or signal. A channel stays open between the two, so that
 * the second never outlives the first, even one ended by force.
 * @param {string} node path of the executable
 * @param {string[]} args script and arguments
 */
export function handOver(node, args) {
  const env = Object.assign({}, process.env, { [HANDED_OVER]: '1' });
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  // A terminal sends Ctrl-C to both processes; sent on as well, it would reach the child twice and look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      reject(new SetupError(`${node} cannot be started (${error.code}). Remove node_modules and run the same command again.`));
    });
    child.on('exit', (code, signal) => {
      if (signal === null) process.exitCode = code;
      else endBy(signal);
      resolve();
    });
  });
}

/**
 * Whether this process is the one handed over to. It then ends, as by SIGTERM, when its parent has gone; processes it starts are
 * not told.
 */
export function isHandedOver() {
  if (!process.env[HANDED_OVER]) return false;
  delete process.env[HANDED_OVER];
  if (process.channel) {
    process.channel.unref();
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  }
  return true;
}

function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
