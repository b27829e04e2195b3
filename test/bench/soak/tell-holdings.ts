import { holdings } from './holdings.ts';

// Loaded into a process before its program: tells the one that started it what it holds, whenever it is sent a message. Keeps nothing running.
process.on('message', async () => process.send?.(await holdings()));
process.channel?.unref();
