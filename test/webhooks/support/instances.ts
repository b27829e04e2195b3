import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Counts, InstanceOrder } from './instance.ts';

/** A process that takes deliveries; disposed of, it has ended. */
export interface Instance extends Disposable {
  take(order: InstanceOrder): Promise<Counts>;
  /** The same where the process hardly gets a processor: 10 ms of every 300. */
  takeStarved(order: InstanceOrder): Promise<Counts>;
}

/** A process that waits to be told what to take. */
export async function startInstance(): Promise<Instance> {
  const child = fork(new URL('./instance.ts', import.meta.url));
  const answer = async <T>(): Promise<T> => {
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`an instance ended with ${code}`)));
    const [message] = await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return message;
  };
  await answer<'ready'>();
  const take = (order: InstanceOrder) => {
    child.send(order);
    return answer<Counts>();
  };
  return {
    take,
    takeStarved: (order) => starvedUntil(take(order), child),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

async function starvedUntil<T>(end: Promise<T>, child: ChildProcess): Promise<T> {
  let ended = false;
  const noteEnd = () => {
    ended = true;
  };
  end.then(noteEnd, noteEnd);
  while (!ended) {
    child.kill('SIGSTOP');
    await pause(290);
    child.kill('SIGCONT');
    await pause(10);
  }
  return end;
}
