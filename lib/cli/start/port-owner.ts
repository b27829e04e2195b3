import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The program that listens on a TCP port of this machine, such as `node server.js (process 4242)`; undefined where it cannot be told. */
export function portOwner(port: number): string | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listenersOn(port, table)));
  if (inodes.size === 0) return undefined;
  const pid = entries('/proc').find((entry) => /^\d+$/.test(entry) && holdsOneOf(inodes, entry));
  if (pid === undefined) return undefined;
  const command = read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean).join(' ').slice(0, 80);
  return `${command} (process ${pid})`;
}

const LISTENING = '0A';

function listenersOn(port: number, table: string): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return read(table)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(`:${wanted}`))
    .map((columns) => columns[9] ?? '');
}

function holdsOneOf(inodes: ReadonlySet<string>, pid: string): boolean {
  return entries(`/proc/${pid}/fd`).some((descriptor) => {
    const inode = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${descriptor}`))?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

/** Other users' processes, and machines without /proc, simply tell nothing. */
function quietly<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

const read = (path: string): string => quietly(() => readFileSync(path, 'utf8'), '');
const link = (path: string): string => quietly(() => readlinkSync(path), '');
const entries = (path: string): readonly string[] => quietly(() => readdirSync(path), []);
