import type { Readable } from 'node:stream';

export type StreamName = 'stdout' | 'stderr';

/** What a reader tells: a line of output, or that the stream is done with the current run. */
export interface OutputListener {
  onLine(stream: StreamName, line: string): void;
  /** The mark was read, or the stream closed and no mark can come. */
  onOutputEnd(stream: StreamName): void;
}

const longestLineBytes = 64 * 1024;
const pauseMs = 1;

/**
 * Reads one output stream of an instance: cuts it into lines and at the mark that ends each run. Output that nobody wants any more is
 * skipped, slowly: a flood must not take the host's time from other functions.
 */
export class OutputReader {
  readonly #stream: Readable;
  readonly #name: StreamName;
  readonly #mark: Buffer;
  readonly #listener: OutputListener;
  #pending: Buffer = Buffer.alloc(0);
  #skipping = false;

  constructor(stream: Readable, name: StreamName, mark: string, listener: OutputListener) {
    this.#stream = stream;
    this.#name = name;
    this.#mark = Buffer.from(`${mark}\n`);
    this.#listener = listener;
    stream.on('data', (chunk: Buffer) => this.#read(chunk));
    stream.on('close', () => this.#close());
    // The stream's end is what counts; an error only comes before it.
    stream.on('error', () => {});
  }

  /** From now until the mark, output is read and forgotten. */
  skip(): void {
    this.#skipping = true;
  }

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (let at = this.#pending.indexOf(this.#mark); at >= 0; at = this.#pending.indexOf(this.#mark)) {
      this.#emitLines(this.#pending.subarray(0, at), true);
      this.#pending = this.#pending.subarray(at + this.#mark.length);
      this.#skipping = false;
      this.#listener.onOutputEnd(this.#name);
    }
    this.#pending = this.#skipping ? this.#pending.subarray(-this.#mark.length) : this.#emitLines(this.#pending, false);
    if (this.#skipping) this.#rest();
  }

  /** Emits whole lines and returns what is left; `final` takes an unfinished line as one. */
  #emitLines(bytes: Buffer, final: boolean): Buffer {
    let start = 0;
    for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
      this.#emit(bytes.subarray(start, end));
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    if (rest.length === 0 || (!final && rest.length < longestLineBytes)) return rest;
    // The mark may have begun at the end of what is here.
    const kept = final ? 0 : this.#mark.length;
    this.#emit(rest.subarray(0, rest.length - kept));
    return rest.subarray(rest.length - kept);
  }

  #emit(line: Buffer): void {
    if (!this.#skipping) this.#listener.onLine(this.#name, line.toString('utf8'));
  }

  #rest(): void {
    this.#stream.pause();
    setTimeout(() => this.#stream.resume(), pauseMs).unref();
  }

  #close(): void {
    this.#emitLines(this.#pending, true);
    this.#pending = Buffer.alloc(0);
    this.#listener.onOutputEnd(this.#name);
  }
}
