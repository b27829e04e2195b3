import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempDir } from './run-serverless.ts';

/** A build that goes on until it is ended, and so does what it has started in the background. */
export interface LongBuild {
  /** Resolves when it runs. */
  readonly begun: Promise<unknown>;
  /** Resolves when nothing of it runs any more. */
  readonly gone: Promise<unknown>;
}

/** Puts a function `slow/fn` with such a build into a project. */
export function longBuild(project: string): LongBuild {
  const [alive, never] = [join(tempDir(), 'alive'), join(tempDir(), 'never')];
  execFileSync('mkfifo', [alive, never]);
  const dir = join(project, 'packages/slow/fn');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'index.js'), 'exports.main = () => ({ body: "built" });\n');
  // All that runs has the one open for writing; to the other nobody ever writes.
  const script = `#!/bin/sh\nexec 3> '${alive}'\necho begun >&3\nsleep 1000 &\nread -r word < '${never}'\n`;
  writeFileSync(join(dir, 'build.sh'), script, { mode: 0o755 });
  const reader = spawn('cat', [alive], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void reader.kill());
  return { begun: once(reader.stdout, 'data'), gone: once(reader, 'close') };
}
