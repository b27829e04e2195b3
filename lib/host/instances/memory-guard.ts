import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Instance } from './instance.ts';

const sampleMs = 50;
const slowSampleMs = 500;
const kibPerMib = 1024;

/**
 * Ends instances whose process holds more memory than their function may use. The heap is bounded by Node itself; this bounds what lies
 * outside of it, such as buffers. It looks only while something is watched.
 */
export class MemoryGuard {
  readonly #watched = new Set<Instance>();
  #timer: NodeJS.Timeout | undefined;

  watch(instance: Instance): void {
    this.#watched.add(instance);
    this.#timer ??= setInterval(() => this.#sample(), process.platform === 'linux' ? sampleMs : slowSampleMs);
  }

  unwatch(instance: Instance): void {
    this.#watched.delete(instance);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks at instances once, whether they are watched or not. */
  check(instances: Iterable<Instance>): void {
    if (process.platform === 'linux') for (const instance of instances) judge(instance, privateKib(instance));
    else checkWithPs([...instances]);
  }

  #sample(): void {
    this.check(this.#watched);
  }
}

function judge(instance: Instance, kib: number | undefined): void {
  if (kib !== undefined && kib > instance.memoryMib * kibPerMib) instance.end('memory');
}

/** Memory of the process's own: not the pages of the Node binary, which all instances share. Undefined when it is gone. */
function privateKib({ pid }: Instance): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return fieldKib(status, 'RssAnon') + fieldKib(status, 'RssShmem');
  } catch {
    return undefined;
  }
}

function fieldKib(status: string, name: string): number {
  const at = status.indexOf(`${name}:`);
  return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length + 1), 10);
}

function checkWithPs(instances: readonly Instance[]): void {
  const byPid = new Map(instances.map((instance) => [String(instance.pid), instance]));
  execFile('ps', ['-o', 'pid=,rss=', '-p', [...byPid.keys()].join(',')], (_error, stdout) => {
    for (const line of stdout.split('\n')) {
      const [pid = '', rssKib = ''] = line.trim().split(/\s+/);
      const instance = byPid.get(pid);
      if (instance) judge(instance, Number(rssKib));
    }
  });
}
