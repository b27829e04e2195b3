import { type SweepOptions, sweep } from './sweep.ts';

/** A process that carries out its share of a sweep: it is sent what to do, and sends how far it is and what came of it. */
process.once('message', async (options: SweepOptions) => {
  const tally = await sweep(options, (progress) => process.send?.({ progress }));
  process.send?.({ tally }, () => process.disconnect());
});

// It does not outlive the process that has shared the sweep out, and leaves nothing behind.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
