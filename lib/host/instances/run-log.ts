import type { StreamName } from './output-reader.ts';

/** The log of one run: lines as the platform shows them, `<ISO time> stdout: text`, up to a number of bytes. */
export class RunLog {
  readonly #limitBytes: number;
  readonly #lines: string[] = [];
  #bytes = 0;
  #full = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get isFull(): boolean {
    return this.#full;
  }

  add(stream: StreamName, text: string): void {
    if (this.#full) return;
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes <= this.#limitBytes) {
      this.#lines.push(logLine(stream, text));
      return;
    }
    this.#full = true;
    const notice = `Logs were truncated because the total bytes size exceeds the limit of ${this.#limitBytes} bytes.`;
    this.#lines.push(logLine('stderr', notice));
  }
}

/** A line of a log as the platform shows it. */
export function logLine(stream: StreamName, text: string): string {
  return `${new Date().toISOString()} ${stream}: ${text}`;
}
