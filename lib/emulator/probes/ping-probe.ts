import { spawn } from 'node:child_process';
import { isIP } from 'node:net';
import { SECOND_MS } from '../calendar.ts';
import { type Address, addressesOf } from './addresses.ts';
import type { Course } from './course.ts';
import { codeOf, failureOf, ProbeFailure } from './failure.ts';
import { opened } from './http-probe.ts';
import type { ProbeMethod, ProbeResult } from './result.ts';

/** How echoes are asked for: the system's command, which alone may send them without rights of its own. */
export interface PingWay {
  readonly command: string;
  readonly timeoutMs: number;
}

/**
 * Asks a host for an echo. Where the machine has no command for that, or may not send one, a connection is tried: taken or refused, either way
 * the host has answered. Errors: ProbeAbandoned.
 */
export async function probePing(host: string, course: Course, way: PingWay): Promise<ProbeResult> {
  let method: ProbeMethod = 'icmp';
  try {
    const addresses = await course.step('DNS', isIP(host) === 0 ? 'dnsMs' : undefined, () => addressesOf(host));
    const echoMs = await course.step('ping', undefined, () => echo(addresses[0], way, course.signal));
    if (echoMs !== undefined) {
      return { ...NOTHING_YET, method, outcome: 'ok', timings: course.timings(), tookMs: echoMs };
    }
    method = 'tcp';
    await course.step('connect', 'connectMs', () => answered(host, addresses, course.signal));
    const { connectMs = 0 } = course.timings();
    return { ...NOTHING_YET, method, outcome: 'ok', timings: course.timings(), tookMs: connectMs };
  } catch (error) {
    const { outcome, message } = failureOf(error);
    return { ...NOTHING_YET, method, outcome, error: message, timings: course.timings() };
  }
}

const NOTHING_YET = { error: null, httpStatus: null, tookMs: null, certificateExpiresAtMs: null } as const;
const MAX_OUTPUT_CHARS = 8192;

/** How many milliseconds an echo took; undefined where none can be asked for. Errors: ProbeFailure when there was none. */
function echo(address: Address | undefined, { command, timeoutMs }: PingWay, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, pingArguments(address?.address ?? '', timeoutMs), {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C' },
      signal,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    // First: where no file is left to open, there is nothing of the child but this.
    child.once('error', (error) => (NO_COMMAND.has(codeOf(error)) ? resolve(undefined) : reject(error)));
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(0, MAX_OUTPUT_CHARS);
    });
    child.once('close', (code) => {
      const echoMs = /time[=<]\s*(\d+(?:\.\d+)?)\s*ms/i.exec(output)?.[1];
      if (code === 0 && echoMs !== undefined) {
        resolve(Number(echoMs));
        return;
      }
      // 1 and, of BSD, 2 beside statistics: it was sent and nobody answered. Anything else: it could not be sent.
      if (/\b1 packets transmitted|Sent = 1/i.test(output)) {
        reject(
          /unreachable/i.test(output) ? new ProbeFailure('unreachable', 'host unreachable') : new ProbeFailure('timeout', 'ping timeout'),
        );
        return;
      }
      resolve(undefined);
    });
  });
}

const NO_COMMAND: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM']);

function pingArguments(address: string, timeoutMs: number): readonly string[] {
  const seconds = String(Math.max(1, Math.floor(timeoutMs / SECOND_MS)));
  if (process.platform === 'win32') {
    return ['-n', '1', '-w', String(timeoutMs), address];
  }
  return ['-n', '-c', '1', process.platform === 'darwin' ? '-t' : '-W', seconds, address];
}

/** Resolves when a host takes or refuses a connection to one of the ports of the web. Errors: those of the last attempt. */
async function answered(host: string, addresses: readonly Address[], signal: AbortSignal): Promise<void> {
  const attempts = WEB_PORTS.map(async (port) => {
    try {
      (await opened(host, port, addresses, signal)).destroy();
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED') {
        throw error;
      }
    }
  });
  await Promise.any(attempts);
}

const WEB_PORTS = [443, 80] as const;
