import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

/**
 * Writes what a run has shown into docs/reliability.md, between `<!-- name -->` and `<!-- /name -->`, below when, on what, and by which command.
 * Errors: the page has no such marks.
 */
export function writeProof(name: string, command: string, text: string): void {
  const before = readFileSync(page, 'utf8');
  const [begin, end] = [before.indexOf(`<!-- ${name} -->`), before.indexOf(`<!-- /${name} -->`)];
  if (begin < 0 || end < begin) throw new Error(`docs/reliability.md: expected <!-- ${name} --> and <!-- /${name} --> in this order`);
  const day = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`;
  const head = before.slice(0, begin);
  writeFileSync(page, `${head}<!-- ${name} -->\nRun on ${day}, ${machine}, \`${command}\`.\n\n${text}\n${before.slice(end)}`);
}
