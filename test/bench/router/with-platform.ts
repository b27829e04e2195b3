import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Of 127.0.0.1, and its own authority: whoever asks the platform over TLS has it among those that are believed. */
export const loopbackCertificate = at('../../fixtures/certificates/loopback.pem');
export const loopbackKey = at('../../fixtures/certificates/loopback-key.pem');

/** Measures beside a platform that costs as little as a server can, in a process of its own. */
export async function withPlatform<Result>(work: (url: string) => Promise<Result>, scheme: 'http' | 'https' = 'http'): Promise<Result> {
  const platform = spawn(process.execPath, [at('./bare-platform.ts'), scheme], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(platform.stdout), 'line');
    return await work(`${scheme}://127.0.0.1:${JSON.parse(line).port}`);
  } finally {
    platform.kill('SIGTERM');
    await once(platform, 'exit');
  }
}
