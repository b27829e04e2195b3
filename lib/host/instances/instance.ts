import { randomBytes } from 'node:crypto';
import { hostLimits } from '../limits.ts';
import type { Inspector } from './inspector.ts';
import { LauncherProcess, type ProcessSpec } from './launcher-process.ts';
import type { StreamName } from './output-reader.ts';
import type { Reply } from './protocol.ts';
import { type EndOfLife, endByDeath, endByReply, type Run, type RunEnd } from './run.ts';
import { RunLog } from './run-log.ts';

const bootTimeoutMs = 30_000;
/** After a result, the rest of a run's output must come within this time or before its deadline, whichever is later. */
const outputTimeoutMs = 1000;
const mostStrayLines = 1000;
/** A warm instance that has not begun a call by then is held up by what an earlier call left behind. */
const beginTimeoutMs = 1000;
/** What a call has in its own eyes while a debugger is attached. */
const debuggedMs = 60 * 60 * 1000;

export interface InstanceListener {
  /** The process is up; it has loaded nothing. */
  onBooted(instance: Instance): void;
  /** A run is over and the instance can take the next one. */
  onFree(instance: Instance): void;
  /** The process and its group are gone. A run it was making has been answered. */
  onGone(instance: Instance): void;
}

type Phase = 'booting' | 'booted' | 'initialising' | 'running' | 'answered' | 'idle' | 'gone';

interface CurrentRun {
  readonly run: Run;
  readonly log: RunLog;
  readonly startMs: number;
  readonly startedAt: number;
  readonly cold: boolean;
  /** Streams whose output of this run is not complete yet. */
  readonly open: Set<StreamName>;
  timer: NodeJS.Timeout;
  initMs: number | undefined;
  begun: boolean;
}

/**
 * One process that runs one function, one call at a time: booting, booted, then initialised by its first run, and idle between runs.
 * Whatever the function does, a run gets one answer, and the worst that happens is the end of this instance.
 */
export class Instance {
  readonly id = randomBytes(12).toString('hex');
  readonly memoryMib: number;
  readonly home: string;
  readonly inspector: Inspector | undefined;
  listener: InstanceListener;
  /** When it last became free, on the clock of `performance.now()`. */
  freeSince = performance.now();
  #phase: Phase = 'booting';
  #current: CurrentRun | undefined;
  #endOfLife: EndOfLife | undefined;
  #inspectorPort: number | undefined;
  #sawHeapExhausted = false;
  /** Output between runs. It belongs to the next one, as on the platform. */
  #strayLines: (readonly [StreamName, string])[] = [];
  readonly #process: LauncherProcess;
  readonly #bootTimer: NodeJS.Timeout;

  constructor(spec: Omit<ProcessSpec, 'id'>, listener: InstanceListener) {
    this.memoryMib = spec.memoryMib;
    this.home = spec.home;
    this.inspector = spec.inspector;
    this.listener = listener;
    this.#process = new LauncherProcess(
      { ...spec, id: this.id },
      {
        onReply: this.#onReply.bind(this),
        onLine: this.#onLine.bind(this),
        onOutputEnd: this.#onOutputEnd.bind(this),
        onBroken: () => this.end('exit'),
        onGone: this.#onGone.bind(this),
      },
    );
    this.#bootTimer = setTimeout(() => this.end('exit'), bootTimeoutMs);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isBooting(): boolean {
    return this.#phase === 'booting';
  }

  /** Whether it was killed or died, even if its process is not gone yet. */
  get isEnding(): boolean {
    return this.#endOfLife !== undefined || this.#phase === 'gone';
  }

  /** Makes a run; only when booted or free. */
  start(run: Run): void {
    const cold = this.#phase === 'booted';
    if (!cold && this.#phase !== 'idle') throw new Error(`an instance that is ${this.#phase} cannot start a run`);
    const startMs = Date.now();
    this.#phase = cold ? 'initialising' : 'running';
    this.#current = {
      run,
      log: new RunLog(run.logBytes),
      startMs,
      startedAt: performance.now(),
      cold,
      open: new Set(['stdout', 'stderr']),
      timer: this.#deadline(run.timeoutMs, cold),
      initMs: undefined,
      begun: false,
    };
    for (const [stream, line] of this.#strayLines.splice(0)) this.#onLine(stream, line);
    const call = `${JSON.stringify({ run: { ...run.call, deadline: startMs + (this.#isDebugged ? debuggedMs : run.timeoutMs) } })}\n`;
    // Both lines at once: the launcher goes from init to run without waiting for the host.
    this.#process.write(cold ? `${this.#initLine(run)}\n${call}` : call);
  }

  /** Ends the process and everything it started, at once. The first reason given decides what a run in progress is answered. */
  end(why: EndOfLife): void {
    if (this.isEnding) return;
    this.#endOfLife = why;
    this.#process.kill();
  }

  get #isDebugged(): boolean {
    return this.#inspectorPort !== undefined && this.inspector?.isAttached(this.#inspectorPort) === true;
  }

  /** Ends the instance after a time, which begins anew as long as a debugger is attached. */
  #endAfter(ms: number, why: EndOfLife): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#current && this.#isDebugged) this.#current.timer = this.#endAfter(ms, why);
      else this.end(why);
    }, ms);
  }

  #deadline(timeoutMs: number, cold: boolean): NodeJS.Timeout {
    if (cold || this.inspector || timeoutMs <= beginTimeoutMs) return this.#endAfter(timeoutMs, 'timeout');
    return setTimeout(() => {
      const current = this.#current;
      if (!current?.begun) this.end('exit');
      else current.timer = setTimeout(() => this.end('timeout'), timeoutMs - beginTimeoutMs);
    }, beginTimeoutMs);
  }

  #initLine({ program }: Run): string {
    return JSON.stringify({ init: { ...program, cwd: program.dir ?? this.home, mark: this.#process.mark } });
  }

  #onReply(reply: Reply | undefined): void {
    if (this.isEnding) return;
    if (reply?.type === 'ok' && this.#phase === 'booting') {
      clearTimeout(this.#bootTimer);
      this.#phase = 'booted';
      this.listener.onBooted(this);
      return;
    }
    const current = this.#current;
    if (!current || !reply || !this.#take(reply, current)) this.end('garbage');
  }

  /** Takes a reply in the course of a run; false if it does not belong there. */
  #take(reply: Reply, current: CurrentRun): boolean {
    if (this.#phase === 'initialising') {
      if (reply.type === 'init-failed') {
        this.#answer(current, { type: 'failed', message: reply.message, timedOut: false, loading: true });
        return true;
      }
      this.#phase = 'running';
      current.initMs = elapsedMs(current);
      return reply.type === 'ok';
    }
    if (this.#phase !== 'running' || !('id' in reply) || reply.id !== current.run.call.activationId) return false;
    if (reply.type === 'begun') {
      current.begun = true;
      return true;
    }
    this.#answer(current, endByReply(reply, hostLimits.resultBytes));
    return true;
  }

  #answer(current: CurrentRun, end: RunEnd): void {
    const { run, startMs, cold } = current;
    const durationMs = elapsedMs(current);
    clearTimeout(current.timer);
    current.timer = this.#endAfter(Math.max(outputTimeoutMs, run.timeoutMs - durationMs), 'exit');
    this.#phase = 'answered';
    run.onAnswer(end, { startMs, durationMs, ...(cold && { initMs: current.initMs ?? durationMs }) });
    if (current.open.size === 0) this.#finish(current);
  }

  #finish(current: CurrentRun): void {
    clearTimeout(current.timer);
    this.#current = undefined;
    current.run.onFinish(current.log.lines);
    if (this.isEnding) return;
    if (current.cold && current.initMs === undefined) {
      this.end('init');
      return;
    }
    this.#phase = 'idle';
    this.freeSince = performance.now();
    this.listener.onFree(this);
  }

  #onLine(stream: StreamName, line: string): void {
    if (stream === 'stderr' && this.inspector && this.#isOfInspector(line, this.inspector)) return;
    if (stream === 'stderr' && line.startsWith('FATAL ERROR:') && line.includes('heap out of memory')) this.#sawHeapExhausted = true;
    const log = this.#current?.log;
    if (log) {
      log.add(stream, line);
      if (log.isFull) this.#process.skipOutput();
      return;
    }
    this.#strayLines.push([stream, line]);
    // The platform freezes what runs on after its answer; here a flood from it must not take the host's time.
    if (this.#strayLines.length > mostStrayLines) this.end('exit');
  }

  #isOfInspector(line: string, inspector: Inspector): boolean {
    const read = inspector.readLine(line);
    if (read?.port !== undefined && this.#inspectorPort === undefined) {
      this.#inspectorPort = read.port;
      inspector.add(read.port);
    }
    return read !== null;
  }

  #onOutputEnd(stream: StreamName): void {
    const current = this.#current;
    current?.open.delete(stream);
    if (current && current.open.size === 0 && this.#phase === 'answered') this.#finish(current);
  }

  #onGone(signal: NodeJS.Signals | null): void {
    clearTimeout(this.#bootTimer);
    if (this.#inspectorPort !== undefined) this.inspector?.remove(this.#inspectorPort);
    const why = this.#causeOfDeath(signal);
    const current = this.#current;
    if (current && this.#phase !== 'answered') {
      const unreached = !current.cold && !current.begun && why !== 'timeout';
      const end: RunEnd = unreached ? { type: 'not-begun' } : endByDeath(why, this.#phase === 'initialising', current.run.timeoutMs);
      this.#endOfLife ??= why;
      this.#answer(current, end);
    }
    this.#phase = 'gone';
    if (this.#current) this.#finish(this.#current);
    this.listener.onGone(this);
  }

  #causeOfDeath(signal: NodeJS.Signals | null): EndOfLife {
    if (this.#endOfLife && this.#endOfLife !== 'exit') return this.#endOfLife;
    // Out of heap, Node aborts; where its last words drowned in the function's own output, the signal has to do.
    const heapExhausted = signal === 'SIGABRT' && (this.#sawHeapExhausted || this.#current?.log.isFull === true);
    return heapExhausted ? 'memory' : 'exit';
  }
}

function elapsedMs({ startedAt }: CurrentRun): number {
  return Math.max(1, Math.round(performance.now() - startedAt));
}
