import { wakeAfter } from '../clock.ts';
import { DeliveryFailure } from './failure.ts';

/** Does work that must be over after `limitMs` of real time; `signal` ends it then. Errors: those of the work, a failure that says how long it took. */
export async function withinDeadline<T>(what: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const failure = new DeliveryFailure(`${what} did not answer within ${limitMs / 1000} s`, { hung: true });
  const late = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(failure), { once: true });
  });
  const cancel = wakeAfter(limitMs, () => controller.abort(failure));
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    cancel();
  }
}
