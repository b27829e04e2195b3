import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../lib/host/main.ts', import.meta.url));

/** A host as a process, and a way to its API; `kill` ends it by force. */
export interface HostProcess {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  api(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: any }>;
  kill(): Promise<void>;
}

export async function hostProcess(dataDir: string): Promise<HostProcess> {
  const child = spawn(process.execPath, [main, '--port', '0', '--data', dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const early = gone.then(() => {
    throw new Error('the host ended before it was ready');
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), early]);
  early.catch(() => undefined);
  const { url, auth } = JSON.parse(line);
  const headers = { authorization: `Basic ${btoa(auth)}`, 'content-type': 'application/json' };
  return {
    async api(method, path, body) {
      const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/api/v1/namespaces/_/${path}`, sent);
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
