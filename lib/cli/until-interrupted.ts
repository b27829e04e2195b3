const TELLINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A terminal and npm each send Ctrl-C on: two within so long are one. */
const SAME_TELLING_MS = 500;

/**
 * A signal that is aborted when the process is told to end. Told once more, it ends at once.
 *
 * @example const { signal } = untilInterrupted();
 */
export function untilInterrupted(): AbortController {
  const controller = new AbortController();
  let toldAtMs: number | undefined;
  for (const name of TELLINGS) {
    process.on(name, () => {
      if (toldAtMs !== undefined && performance.now() - toldAtMs > SAME_TELLING_MS) process.exit(130);
      toldAtMs ??= performance.now();
      controller.abort();
    });
  }
  return controller;
}

/** A signal that is aborted when the process is told to end, which it then does: what listens has but that moment to end what it started. */
export function whileRunning(): AbortSignal {
  const controller = new AbortController();
  for (const name of TELLINGS) {
    process.once(name, () => {
      controller.abort();
      process.kill(process.pid, name);
    });
  }
  return controller.signal;
}
