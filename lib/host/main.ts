import { parseArgs } from 'node:util';
import { HostError } from './host-error.ts';
import { startHost } from './start-host.ts';

/** Runs a host as a process of its own: prints one line of JSON when it is ready, and ends at SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, data: { type: 'string' }, kinds: { type: 'string' } },
  });
  const { port, data, kinds } = values;
  if (data === undefined) throw new HostError('invalid_option', '--data: name the directory the host keeps its state in');
  const host = await startHost({
    port: Number(port),
    dataDir: data,
    ...(kinds !== undefined && { kindsDir: kinds }),
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  const stop = (): void => {
    host.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { url, namespace, auth } = host;
  process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, url, port: host.port, namespace, auth })}\n`);
}

main().catch((error: unknown) => {
  const isUserError = error instanceof HostError;
  process.stderr.write(`${isUserError ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(isUserError ? 1 : 70);
});
