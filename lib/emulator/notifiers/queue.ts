import { DeliveryFailure } from './failure.ts';

/** Has work for one receiver done a few at a time; what is for different receivers does not wait for each other. */
export type Queue = <T>(receiver: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  running: number;
  readonly waiting: { readonly begin: () => void; readonly giveUp: (failure: DeliveryFailure) => void }[];
}

/** When a receiver hangs, what waits for it fails with it: otherwise each in turn would wait its own time out. */
export function receiverQueue(atOnce: number): Queue {
  const lines = new Map<string, Line>();

  return async (receiver, work) => {
    const line = lines.get(receiver) ?? { running: 0, waiting: [] };
    lines.set(receiver, line);
    if (line.running >= atOnce) {
      await new Promise<void>((resolve, reject) => {
        line.waiting.push({ begin: resolve, giveUp: reject });
      });
    } else {
      line.running += 1;
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof DeliveryFailure && error.hung) {
        const untried = new DeliveryFailure(error.message, { untried: true, cause: error });
        for (const { giveUp } of line.waiting.splice(0)) {
          giveUp(untried);
        }
      }
      throw error;
    } finally {
      const next = line.waiting.shift();
      if (next === undefined) {
        line.running -= 1;
      } else {
        next.begin();
      }
      if (line.running === 0) {
        lines.delete(receiver);
      }
    }
  };
}
