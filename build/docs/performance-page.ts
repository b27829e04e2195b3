import { fileURLToPath } from 'node:url';
import { isPageOf, writePage } from '../../test/bench/report/page.ts';
import { readRecord } from '../../test/bench/report/record.ts';

/** Writes docs/performance.md and its plots out of docs/performance.json; with `--check` says whether the page is what the record says. */
const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const record = readRecord(docs);
// Before the first `npm run bench -- --write` there is nothing to show.
if (record.sections.length > 0) {
  if (!process.argv.includes('--check')) await writePage(docs, record);
  else if (!isPageOf(docs, record)) {
    process.stderr.write('docs/performance.md is not what docs/performance.json says: run "npm run docs"\n');
    process.exitCode = 1;
  }
}
