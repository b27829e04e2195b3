import { readdirSync } from 'node:fs';
import { procFile } from './proc-file.ts';

/** The processes of every group, by the id of the group, from one look at /proc. */
export function processGroups(): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const group = groupOf(name);
    if (group === undefined) continue;
    const members = groups.get(group) ?? [];
    members.push(Number(name));
    groups.set(group, members);
  }
  return groups;
}

/** Whether the main thread of a process has started others that still run; false where the system does not tell. */
export function hasChildren(pid: number): boolean {
  return read(`${pid}/task/${pid}/children`) !== '';
}

/** Memory of a process's own, in KiB: not the pages of its binary, which all instances share. 0 when it is gone. */
export function privateKib(pid: number): number {
  const status = read(`${pid}/status`);
  return fieldKib(status, 'RssAnon') + fieldKib(status, 'RssShmem');
}

/** The fifth field of /proc/<pid>/stat; the second is the program's name in parentheses and may hold anything. */
function groupOf(pid: string): number | undefined {
  const stat = read(`${pid}/stat`);
  const group = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3)[2];
  return group === undefined ? undefined : Number(group);
}

function fieldKib(status: string, name: string): number {
  const at = status.indexOf(`${name}:`);
  return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length + 1), 10);
}

/** A process may be gone by the time it is asked about. */
function read(path: string): string {
  try {
    return procFile(path);
  } catch {
    return '';
  }
}
