import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// The emulator as a process of its own: prints one line of JSON, `{url, port, token}`, when it is ready.

// Before anything of it is loaded: half of a start would be taking the types off sources, and compiling them. It is the cache of build/setup/boot.mjs.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
const { startEmulator } = await import('./start-emulator.ts');

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    token: { type: 'string' },
    speed: { type: 'string', default: '1' },
    'allow-host': { type: 'string', multiple: true, default: [] },
    'smtp-url': { type: 'string' },
    'allow-origin': { type: 'string', multiple: true, default: [] },
    offline: { type: 'boolean', default: false },
    'no-limits': { type: 'boolean', default: false },
  },
});

const unlimited = { perHour: Number.MAX_SAFE_INTEGER, perMinute: Number.MAX_SAFE_INTEGER, keyListsPerMinute: Number.MAX_SAFE_INTEGER };
const emulator = await startEmulator({
  port: Number(values.port),
  speed: Number(values.speed),
  allowedHosts: values['allow-host'],
  probes: !values.offline,
  allowedOrigins: values['allow-origin'],
  ...(values['smtp-url'] === undefined ? {} : { smtpUrl: values['smtp-url'] }),
  ...(values.data === undefined ? {} : { dataDir: values.data }),
  ...(values.token === undefined ? {} : { token: values.token }),
  ...(values['no-limits'] ? { limits: unlimited } : {}),
});
process.stdout.write(`${JSON.stringify({ url: emulator.url, port: emulator.port, token: emulator.token })}\n`);

const end = (): void => {
  emulator.close().then(() => process.exit(0));
};
process.once('SIGINT', end);
process.once('SIGTERM', end);
