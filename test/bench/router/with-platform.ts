import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Measures beside a platform that costs as little as a server can, in a process of its own. */
export async function withPlatform<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const script = fileURLToPath(new URL('./bare-platform.ts', import.meta.url));
  const platform = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(platform.stdout), 'line');
    return await work(`http://127.0.0.1:${JSON.parse(line).port}`);
  } finally {
    platform.kill('SIGTERM');
    await once(platform, 'exit');
  }
}
