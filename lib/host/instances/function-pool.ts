import type { DeployedFunction } from '../functions/deployed-function.ts';
import { HostError } from '../host-error.ts';
import { hostLimits } from '../limits.ts';
import type { Inspector } from './inspector.ts';
import type { Instance } from './instance.ts';
import type { Job } from './job.ts';
import { advised, endByDeath, failureOf, type Run } from './run.ts';
import { logLine } from './run-log.ts';

const mostAttempts = 3;
/** While instances are at work, a job waits this long before one more is started for it: less than a cold start takes. */
const patienceMs = 10;
const bytesPerMib = 1024 * 1024;

/** What a pool needs of the fleet it belongs to. */
export interface InstanceSource {
  /** What a function is started with, or a promise of it where a binary or its code has to be brought first. */
  prepare(deployed: DeployedFunction): Prepared | Promise<Prepared>;
  /** What to do and to tell when a call failed for want of a package that kinds provide; undefined where that is not the reason. */
  lacked(deployed: DeployedFunction, failure: string): Lacked | undefined;
  /** An instance, booted or booting; undefined while there is no memory for one, and then `dispatch` is called when there may be. */
  take(spec: InstanceSpec, pool: FunctionPool): Instance | undefined;
  /** Takes back an instance that has not loaded anything. */
  giveBack(spec: InstanceSpec, instance: Instance): void;
  onStart(instance: Instance): void;
  onFree(instance: Instance): void;
  onColdAnswer(spec: InstanceSpec): void;
  onGone(instance: Instance): void;
}

export interface Lacked {
  /** The package can be had, and `prepare` brings it now: a call that has not reached its function can be made again. */
  readonly canBeBrought: boolean;
  readonly advice: string;
}

export interface InstanceSpec {
  readonly nodePath: string;
  readonly memoryMib: number;
  /** There for a function that is debugged: it has one process at a time, and shares none that was started for others. */
  readonly inspector?: Inspector;
}

export interface Prepared {
  readonly spec: InstanceSpec;
  /** Gives an instance what it is to load. */
  programFor(instance: Instance): Run['program'];
}

interface Waiting {
  readonly job: Job;
  /** How many instances ended before they got to it. */
  readonly attempts: number;
  /** On the clock of `performance.now()`. */
  readonly since: number;
}

/**
 * The instances of one function and the queue in front of them. A job at the head goes to whichever instance is free first; while jobs
 * wait, instances are started, up to a number.
 */
export class FunctionPool {
  readonly #source: InstanceSource;
  readonly #mostInstances: number;
  #deployed: DeployedFunction;
  #queue: Waiting[] = [];
  /** The most recently used is last and goes first, so that the others may grow old. */
  #free: Instance[] = [];
  readonly #starting = new Set<Instance>();
  /** Instances that have loaded the function, with the revision they loaded. */
  readonly #loaded = new Map<Instance, string>();
  #preparing = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(source: InstanceSource, deployed: DeployedFunction, mostInstances: number) {
    this.#source = source;
    this.#deployed = deployed;
    this.#mostInstances = mostInstances;
  }

  /** Free instances, the longest unused first. */
  get free(): readonly Instance[] {
    return this.#free;
  }

  /** Queues a job. How many wait is bounded by what a namespace may have under way. */
  submit(job: Job): void {
    this.#queue.push({ job, attempts: 0, since: performance.now() });
    this.dispatch();
  }

  /** Takes a job out of the queue; false if it is not there any more. */
  withdraw(job: Job): boolean {
    const at = this.#queue.findIndex((waiting) => waiting.job === job);
    if (at < 0) return false;
    this.#queue.splice(at, 1);
    return true;
  }

  /** Serves this version from the next job on; instances of the old one end as soon as they are free. */
  replace(deployed: DeployedFunction): void {
    this.#deployed = deployed;
    for (const instance of this.#free.filter((free) => this.#loaded.get(free) !== deployed.revision)) this.retire(instance);
  }

  /** Ends everything: what is queued fails with this error, what runs is aborted. */
  shutDown(error: HostError): void {
    clearTimeout(this.#patience);
    this.#failQueued(error);
    this.#free = [];
    for (const instance of [...this.#starting, ...this.#loaded.keys()]) instance.end('retired');
  }

  /** The function was deleted: what is queued fails, what runs may finish. */
  drain(error: HostError): void {
    this.#failQueued(error);
    for (const instance of this.#free.splice(0)) instance.end('retired');
    this.#deployed = { ...this.#deployed, revision: '' };
  }

  /** Ends a free instance. */
  retire(instance: Instance): void {
    this.#free = this.#free.filter((free) => free !== instance);
    instance.end('retired');
  }

  /** Hands out queued jobs, and starts instances for those that remain. */
  dispatch(): void {
    while (this.#queue.length > 0 && this.#free.length > 0) {
      const instance = this.#free.pop();
      if (!instance || instance.isEnding) continue;
      const waiting = this.#queue.shift();
      if (waiting) this.#run(instance, waiting);
    }
    const full = this.#loaded.size + this.#starting.size >= this.#mostInstances;
    if (full || this.#preparing || this.#countWanted() <= 0) return;
    const prepared = this.#source.prepare(this.#deployed);
    if (prepared instanceof Promise) this.#prepareThenDispatch(prepared, this.#deployed);
    else this.#startInstances(prepared);
  }

  /** How many instances the queue needs beyond those that are starting; looks again when jobs that can still wait no longer can. */
  #countWanted(): number {
    if (this.#loaded.size === 0) return this.#queue.length - this.#starting.size;
    const latest = performance.now() - patienceMs;
    const patient = this.#queue.findIndex(({ since }) => since > latest);
    if (patient >= 0) this.#patience ??= setTimeout(() => this.#losePatience(), patienceMs);
    return (patient < 0 ? this.#queue.length : patient) - this.#starting.size;
  }

  #losePatience(): void {
    this.#patience = undefined;
    this.dispatch();
  }

  #prepareThenDispatch(preparing: Promise<Prepared>, deployed: DeployedFunction): void {
    this.#preparing = true;
    preparing
      .catch((error: unknown) => {
        // What was replaced meanwhile need not be had: the new version is.
        if (this.#deployed === deployed) this.#failQueued(error);
      })
      .finally(() => {
        this.#preparing = false;
        this.dispatch();
      });
  }

  #failQueued(error: unknown): void {
    for (const { job } of this.#queue.splice(0)) job.onFail(error);
  }

  #startInstances({ spec }: Prepared): void {
    while (this.#countWanted() > 0 && this.#loaded.size + this.#starting.size < this.#mostInstances) {
      const instance = this.#source.take(spec, this);
      if (!instance) return;
      const onBooted = (): void => this.#onBooted(instance, spec);
      instance.listener = { onBooted, onFree: this.#onFree.bind(this), onGone: this.#onGone.bind(this) };
      this.#starting.add(instance);
      if (!instance.isBooting) onBooted();
    }
  }

  #onBooted(instance: Instance, spec: InstanceSpec): void {
    const prepared = this.#queue.length > 0 ? this.#source.prepare(this.#deployed) : undefined;
    if (prepared instanceof Promise) {
      // Others were quicker, and the next copy of the code is still being made.
      prepared
        .catch((error: unknown) => this.#failQueued(error))
        .then(() => this.#starting.has(instance) && this.#onBooted(instance, spec));
      return;
    }
    this.#starting.delete(instance);
    // Meanwhile the job may have been taken by another instance, or the function may have been deployed anew with other needs.
    const fits = prepared?.spec.nodePath === spec.nodePath && prepared.spec.memoryMib === spec.memoryMib;
    const waiting = fits ? this.#queue.shift() : undefined;
    if (!waiting) {
      this.#source.giveBack(spec, instance);
      this.dispatch();
      return;
    }
    this.#loaded.set(instance, this.#deployed.revision);
    this.#run(instance, waiting, prepared);
  }

  /** `prepared` is there for an instance that has loaded nothing yet. */
  #run(instance: Instance, { job, attempts, since }: Waiting, prepared?: Prepared): void {
    const deployed = this.#deployed;
    const { namespace, record, fullName, bound } = deployed;
    const { timeout, logs } = record.limits;
    let requeued = false;
    let advice: string | undefined;
    this.#source.onStart(instance);
    job.onStart(deployed);
    instance.start({
      program: prepared?.programFor(instance) ?? alreadyLoaded,
      timeoutMs: timeout,
      logBytes: Math.min(logs * bytesPerMib, hostLimits.logBytes),
      call: {
        activationId: job.activationId,
        requestId: job.requestId,
        namespace,
        functionName: `/${namespace}/${fullName}`,
        functionVersion: record.version,
        event: { ...bound, ...job.inputs },
      },
      onAnswer: (end, timing) => {
        if (prepared) this.#source.onColdAnswer(prepared.spec);
        const failure = failureOf(end);
        const lacked = failure === undefined ? undefined : this.#source.lacked(deployed, failure);
        const unreached = end.type === 'not-begun' || (end.type === 'failed' && end.loading === true && lacked?.canBeBrought === true);
        requeued = unreached && attempts + 1 < mostAttempts;
        advice = lacked?.advice;
        // Node does not look twice for what it did not find: another instance will.
        if (lacked?.canBeBrought) this.#loaded.set(instance, '');
        if (requeued) this.#queue.unshift({ job, attempts: attempts + 1, since });
        else job.onAnswer(end.type === 'not-begun' ? endByDeath('exit', false, timeout) : advised(end, advice), timing);
      },
      onFinish: (lines) => {
        if (!requeued) job.onFinish(advice === undefined ? lines : [...lines, logLine('stderr', advice)]);
      },
    });
  }

  #onFree(instance: Instance): void {
    if (this.#loaded.get(instance) === this.#deployed.revision) this.#free.push(instance);
    else instance.end('retired');
    this.#source.onFree(instance);
    this.dispatch();
  }

  #onGone(instance: Instance): void {
    const neverBooted = this.#starting.delete(instance);
    this.#loaded.delete(instance);
    this.#free = this.#free.filter((free) => free !== instance);
    this.#source.onGone(instance);
    if (neverBooted) {
      const { fullName, record } = this.#deployed;
      // One job for each failure, so that a broken machine does not spin.
      this.#queue.shift()?.job.onFail(new HostError('internal_error', `${fullName}: no process could be started for ${record.kind}`));
    }
    this.dispatch();
  }
}

/** An instance that has its function does not load another. */
const alreadyLoaded: Run['program'] = { main: '', env: {}, apiHost: '' };
