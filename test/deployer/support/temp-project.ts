import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a project into a directory of its own, removed after the test. Scripts (.sh) are executable. */
export function tempProject(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-project-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFiles(dir, files);
  return dir;
}

/** Adds files to a project, or replaces them. */
export function writeFiles(dir: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (name.endsWith('.sh')) chmodSync(path, 0o755);
  }
}

/** A function that greets, as the specification has it. */
export const HELLO = 'exports.main = () => ({ body: "hello" });\n';
