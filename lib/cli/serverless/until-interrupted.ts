/**
 * A signal that is aborted when the process is told to end. Told once more, it ends at once.
 *
 * @example const { signal } = untilInterrupted();
 */
export function untilInterrupted(): AbortController {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => controller.abort());
  }
  return controller;
}
