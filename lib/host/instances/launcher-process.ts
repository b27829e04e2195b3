import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { hostLimits } from '../limits.ts';
import type { Inspector } from './inspector.ts';
import { markVariable } from './marked-processes.ts';
import { type OutputListener, OutputReader } from './output-reader.ts';
import { killGroup, killTree } from './process-tree.ts';
import { parseReply, type Reply } from './protocol.ts';

const launcher = fileURLToPath(new URL('../launcher.cjs', import.meta.url));
/** A process that is gone may leave its pipes open in children that left its group; nobody waits for those. */
const closeTimeoutMs = 200;
/** The largest result, every character of it escaped, with its envelope. */
const longestReplyBytes = 2 * hostLimits.resultBytes;

/** What a process is started with, before it is known which function it will serve. */
export interface ProcessSpec {
  readonly nodePath: string;
  readonly memoryMib: number;
  /** An empty directory of its own. */
  readonly home: string;
  /** There for a process that is to be debugged. */
  readonly inspector?: Inspector;
  /** Put into the environment, so that what it starts can be recognised later. */
  readonly id: string;
}

export interface ProcessListener extends OutputListener {
  /** A line of fd 3; undefined for one that the launcher would not have sent. */
  onReply(reply: Reply | undefined): void;
  /** A pipe broke while the process may still be running. */
  onBroken(): void;
  /** The process and its group are gone and all its output has been told; called once. */
  onGone(signal: NodeJS.Signals | null): void;
}

/** A process running the launcher, its group, and the pipes to it. */
export class LauncherProcess {
  readonly pid: number | undefined;
  readonly mark: string;
  readonly #listener: ProcessListener;
  readonly #process: ChildProcess;
  readonly #stdin: Writable;
  readonly #readers: readonly OutputReader[];
  #replies: Buffer = Buffer.alloc(0);
  #gone = false;

  constructor({ nodePath, memoryMib, home, id, inspector }: ProcessSpec, listener: ProcessListener) {
    this.#listener = listener;
    this.mark = `XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX ${id}`;
    this.#process = spawn(nodePath, [`--max-old-space-size=${memoryMib}`, ...(inspector ? ['--inspect=127.0.0.1:0'] : []), launcher], {
      cwd: home,
      // A group of its own, so that whatever the function starts can be ended with it.
      detached: true,
      env: { PATH: `${dirname(nodePath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, [markVariable]: id },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    this.pid = this.#process.pid;
    // Four pipes as asked for above: the first is written to, the others are read.
    const [stdin, stdout, stderr, replies] = this.#process.stdio as unknown as [Writable, Readable, Readable, Readable];
    this.#stdin = stdin;
    this.#readers = [new OutputReader(stdout, 'stdout', this.mark, listener), new OutputReader(stderr, 'stderr', this.mark, listener)];
    replies.on('data', (chunk: Buffer) => this.#onReplies(chunk));
    for (const pipe of [stdin, replies]) {
      pipe.on('error', () => listener.onBroken());
      pipe.on('close', () => listener.onBroken());
    }
    this.#process.on('error', () => this.#onExit(null));
    this.#process.on('exit', (_code, signal) => this.#onExit(signal));
  }

  write(lines: string): void {
    this.#stdin.write(lines);
  }

  /** Reads on to the mark without telling what is read. */
  skipOutput(): void {
    for (const reader of this.#readers) reader.skip();
  }

  /** Ends the process with its group and its children, at once. */
  kill(): void {
    if (this.pid !== undefined) killTree(this.pid);
  }

  #onReplies(chunk: Buffer): void {
    this.#replies = this.#replies.length === 0 ? chunk : Buffer.concat([this.#replies, chunk]);
    for (let end = this.#replies.indexOf(10); end >= 0; end = this.#replies.indexOf(10)) {
      const line = this.#replies.toString('utf8', 0, end);
      this.#replies = this.#replies.subarray(end + 1);
      this.#listener.onReply(parseReply(line));
    }
    if (this.#replies.length <= longestReplyBytes) return;
    this.#replies = Buffer.alloc(0);
    this.#listener.onReply(undefined);
  }

  #onExit(signal: NodeJS.Signals | null): void {
    // The leader is gone; what it started may not be.
    if (this.pid !== undefined) killGroup(this.pid);
    const gone = (): void => {
      clearTimeout(timer);
      if (this.#gone) return;
      this.#gone = true;
      for (const pipe of this.#process.stdio) pipe?.destroy();
      this.#listener.onGone(signal);
    };
    const timer = setTimeout(gone, closeTimeoutMs);
    this.#process.once('close', gone);
  }
}
