import { createInterface } from 'node:readline';
import { type HostOptions, startHost } from '../../../lib/host/start-host.ts';
import { holdings } from '../soak/holdings.ts';

// A host as a process of its own, without the platform's limit on calls; its options come as JSON. On each line of stdin it tells what it
// holds (with --expose-gc); at the end of stdin it closes, and ends by itself if it left nothing open.
const options: HostOptions = JSON.parse(process.argv[2] ?? '{}');
const host = await startHost({ callsPerMinute: Number.POSITIVE_INFINITY, ...options });
say({ ...host });

createInterface(process.stdin)
  .on('line', async () => say(await holdings()))
  .on('close', () => host.close());

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
