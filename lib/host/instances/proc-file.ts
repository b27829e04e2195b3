import { readFileSync } from 'node:fs';

/**
 * The text of a file under /proc, such as `1234/stat`; throws where the process is gone or somebody else's. As UTF-8, since that alone is read
 * without a buffer of 64 KiB for a file that does not tell its size: these files are read by the hundred, and the heap of such buffers is
 * never given back to the system.
 */
export function procFile(path: string): string {
  return readFileSync(`/proc/${path}`, 'utf8');
}
