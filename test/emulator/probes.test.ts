import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import type { LookupAllOptions } from 'node:dns';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { pem } from './certificate-files.ts';
import type { Json, Platform } from './platform.ts';
import {
  fullTarget,
  hasOpenssl,
  httpTarget,
  later,
  pingCommand,
  probesOf,
  probingPlatform,
  shortCertificate,
  stateOf,
  tcpTarget,
  tlsTarget,
  watched,
} from './probe-targets.ts';

// A name server that never answers for one name.
vi.mock('node:dns/promises', async (original) => {
  const dns = await original<typeof import('node:dns/promises')>();
  const lookup = (host: string, options: LookupAllOptions) =>
    host === 'unanswered.example' ? new Promise(() => undefined) : dns.lookup(host, options);
  return { ...dns, lookup };
});

/** What the first probe of a target finds. */
async function found(platform: Platform, target: string): Promise<Json> {
  const id = await watched(platform, target);
  await later(platform, '20s');
  const [probe] = await probesOf(platform, id);
  return { status: probe.status, outcome: probe.last.outcome, error: probe.last.error, httpStatus: probe.last.httpStatus };
}

describe('an http probe', () => {
  test('asks as its URL says, and keeps what each step took', async () => {
    const asked: unknown[] = [];
    await using server = await httpTarget(({ method, url, headers }, response) => {
      asked.push([method, url, headers.host, headers.authorization]);
      response.end('up');
    });
    await using platform = await probingPlatform();
    const id = await watched(platform, `http://captain:s3cret@localhost:${server.port}/health?full=1`);
    await later(platform, '20s');
    const [probe] = await probesOf(platform, id);
    const credentials = `Basic ${Buffer.from('captain:s3cret').toString('base64')}`;
    expect(asked).toEqual([['GET', '/health?full=1', `localhost:${server.port}`, credentials]]);
    expect(probe).toMatchObject({ region: 'us_east', status: 'UP', last: { method: 'http', outcome: 'ok', error: null, httpStatus: 200 } });
    const { timings, latencyMs } = probe.last;
    expect(Object.keys(timings)).toEqual(['dnsMs', 'connectMs', 'firstByteMs']);
    // What the region adds is in it.
    expect(latencyMs).toBeGreaterThanOrEqual(12);
    expect(JSON.stringify([probe, (await platform.get('/_emulator/outbox')).body])).not.toContain('s3cret');
  });

  test.each([
    [200, 'UP', 'ok', null],
    [301, 'UP', 'redirect', null],
    [404, 'DOWN', 'status', 'HTTP 404'],
    [503, 'DOWN', 'status', 'HTTP 503'],
  ])('judges an answer of %i', async (httpStatus, status, outcome, error) => {
    const paths: unknown[] = [];
    await using server = await httpTarget(({ url }, response) => {
      paths.push(url);
      response.writeHead(httpStatus, { location: '/elsewhere' }).end();
    });
    await using platform = await probingPlatform();
    expect(await found(platform, `http://127.0.0.1:${server.port}/`)).toEqual({ status, outcome, error, httpStatus });
    expect(paths).toEqual(['/']);
  });

  test.each([
    ['a reset connection', (socket: Socket) => socket.resetAndDestroy(), 'reset', 'connection reset'],
    ['an answer in another tongue', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'protocol', 'the answer is not HTTP'],
    [
      'headers without end',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}`),
      'protocol',
      'the headers of the answer are too long',
    ],
  ])('tells %s apart', async (_what, take, outcome, error) => {
    await using server = await tcpTarget((socket) => socket.once('data', () => take(socket)));
    await using platform = await probingPlatform();
    expect(await found(platform, `http://127.0.0.1:${server.port}/`)).toEqual({ status: 'DOWN', outcome, error, httpStatus: null });
  });

  test('tells a server that hangs by the step that it hangs in', async () => {
    await using server = await tcpTarget(() => undefined);
    await using platform = await probingPlatform({ timeoutMs: 100 });
    expect(await found(platform, `http://127.0.0.1:${server.port}/`)).toMatchObject({ outcome: 'timeout', error: 'response timeout' });
    expect(await found(platform, `https://127.0.0.1:${server.port}/`)).toMatchObject({ outcome: 'timeout', error: 'TLS timeout' });
    expect(await found(platform, 'http://unanswered.example/')).toMatchObject({ outcome: 'timeout', error: 'DNS timeout' });
  });

  test.skipIf(process.platform !== 'linux')('tells a server that takes no connection', async () => {
    await using server = await fullTarget();
    await using platform = await probingPlatform({ timeoutMs: 100 });
    const unconnected = { status: 'DOWN', outcome: 'timeout', error: 'connect timeout', httpStatus: null };
    expect(await found(platform, `http://127.0.0.1:${server.port}/`)).toEqual(unconnected);
  });

  test('tells a refused connection and an unknown name', async () => {
    const server = await tcpTarget(() => undefined);
    await server[Symbol.asyncDispose]();
    await using platform = await probingPlatform();
    expect(await found(platform, `http://127.0.0.1:${server.port}/`)).toMatchObject({ outcome: 'refused', error: 'connection refused' });
    expect(await found(platform, 'http://nobody.invalid/')).toMatchObject({ status: 'DOWN', outcome: 'dns' });
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
  ])('never goes to %s', async (target) => {
    await using platform = await probingPlatform();
    expect(await found(platform, target)).toMatchObject({ status: 'DOWN', outcome: 'blocked' });
  });
});

describe('an https probe', () => {
  test.skipIf(!hasOpenssl)("knows when a certificate expires, and by the account's clock when it has", async () => {
    const own = shortCertificate('localhost');
    await using server = await tlsTarget(own);
    await using platform = await probingPlatform({ authorities: [own.cert] });
    const id = await watched(platform, `https://localhost:${server.port}/`);
    await later(platform, '20s');
    const expiresMs = Date.parse(new X509Certificate(own.cert).validTo);
    const [probe] = await probesOf(platform, id);
    expect(probe).toMatchObject({ status: 'UP', certificateExpires: new Date(expiresMs).toISOString().replace('.000', '') });
    expect(Object.keys(probe.last.timings)).toEqual(['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs']);

    await platform.post('/_emulator/clock', { freeze: true, now: new Date(expiresMs).toISOString(), advance: '1m' });
    const [expired] = await probesOf(platform, id);
    expect(expired).toMatchObject({ status: 'DOWN', last: { outcome: 'certificate', error: 'certificate has expired' } });
  });

  test.skipIf(!hasOpenssl)('keeps of each step how long it alone took', async () => {
    const own = shortCertificate('localhost');
    const tookMs: number[] = [];
    const later20Ms = (then: () => void): void => {
      const beganAt = performance.now();
      setTimeout(() => {
        tookMs.push(performance.now() - beganAt);
        then();
      }, 20);
    };
    const slowHandshake = { ...own, SNICallback: (_name: string, done: (error: null) => void) => later20Ms(() => done(null)) };
    await using server = await tlsTarget(slowHandshake, (_request, response) => later20Ms(() => response.end('up')));
    await using platform = await probingPlatform({ authorities: [own.cert] });
    const id = await watched(platform, `https://localhost:${server.port}/`);
    await later(platform, '20s');
    const [{ last }] = await probesOf(platform, id);
    const { dnsMs, connectMs, tlsMs, firstByteMs } = last.timings;
    const [handshakeMs = 0, answerMs = 0] = tookMs;
    // Each is rounded to a tenth of a millisecond.
    expect(tlsMs).toBeGreaterThan(handshakeMs - 0.1);
    expect(firstByteMs).toBeGreaterThan(answerMs - 0.1);
    const regionMs = 12;
    expect(dnsMs + connectMs + tlsMs + firstByteMs).toBeLessThan(last.latencyMs - regionMs + 0.5);
  });

  test.skipIf(!hasOpenssl)('sends nothing over a connection whose certificate is bad', async () => {
    const own = shortCertificate('elsewhere.example');
    const asked: unknown[] = [];
    await using server = await tlsTarget(own, ({ url }, response) => {
      asked.push(url);
      response.end();
    });
    const target = `https://captain:s3cret@localhost:${server.port}/`;
    await using strict = await probingPlatform();
    expect(await found(strict, target)).toMatchObject({ status: 'DOWN', outcome: 'certificate', error: 'certificate is self-signed' });
    await using trusting = await probingPlatform({ authorities: [own.cert] });
    expect(await found(trusting, target)).toMatchObject({ outcome: 'certificate', error: 'certificate is for another name' });
    expect(asked).toEqual([]);
  });

  test('tells an authority that nobody knows, and what is no TLS', async () => {
    await using server = await tlsTarget({ cert: pem.leaf, key: pem.leafKey });
    await using plain = await httpTarget((_request, response) => response.end());
    await using platform = await probingPlatform();
    expect(await found(platform, `https://localhost:${server.port}/`)).toMatchObject({
      outcome: 'certificate',
      error: 'certificate of an unknown authority',
    });
    expect(await found(platform, `https://localhost:${plain.port}/`)).toMatchObject({ outcome: 'tls', error: 'TLS handshake failed' });
  });
});

describe('a ping', () => {
  test.skipIf(process.platform === 'win32').each([
    [
      'an echo',
      'echo "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=3.5 ms"',
      { status: 'UP', method: 'icmp', outcome: 'ok', latencyMs: 15.5 },
    ],
    [
      'silence',
      'echo "1 packets transmitted, 0 received"; exit 1',
      { status: 'DOWN', method: 'icmp', outcome: 'timeout', latencyMs: null },
    ],
    [
      'a host out of reach',
      'echo "Destination Host Unreachable"; echo "1 packets transmitted"; exit 1',
      { status: 'DOWN', outcome: 'unreachable' },
    ],
    [
      'a machine that may not ask',
      'echo "ping: socket: Operation not permitted" >&2; exit 2',
      { status: 'UP', method: 'tcp', outcome: 'ok' },
    ],
  ])('reports %s', async (_what, script, expected) => {
    using command = pingCommand(script);
    await using platform = await probingPlatform({ pingCommand: command.path });
    const id = await watched(platform, '127.0.0.1');
    await later(platform, '20s');
    const [{ status, last }] = await probesOf(platform, id);
    expect({ status, ...last }).toMatchObject(expected);
    expect((await stateOf(platform, id)).regions.us_east.probed_by).toBe(last.method);
  });

  test.skipIf(process.platform !== 'linux')('asks for one echo, without names, within the whole seconds that it has', async () => {
    using command = pingCommand('[ "$*" = "-n -c 1 -W 5 127.0.0.1" ] && echo "64 bytes: time=3.5 ms"');
    await using platform = await probingPlatform({ pingCommand: command.path, timeoutMs: 5900 });
    const id = await watched(platform, '127.0.0.1');
    await later(platform, '20s');
    expect((await probesOf(platform, id))[0].last).toMatchObject({ outcome: 'ok', method: 'icmp' });
  });

  test.skipIf(process.platform === 'win32')('that waits for others to end is not taken for one that nobody answers', async () => {
    using command = pingCommand('case "$*" in *127.0.0.2) exec sleep 60;; esac; echo "64 bytes: time=3.5 ms"');
    await using platform = await probingPlatform({ pingCommand: command.path, pingsAtOnce: 1, timeoutMs: 1000 });
    const [silent, healthy] = [await watched(platform, '127.0.0.2'), await watched(platform, '127.0.0.1')];
    // Both are due by then.
    await platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:30Z' });
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    expect((await probesOf(platform, silent))[0].last).toMatchObject({ outcome: 'timeout', error: 'ping timeout' });
    expect((await probesOf(platform, healthy))[0].last).toMatchObject({ outcome: 'ok', method: 'icmp' });
  });

  test.skipIf(process.platform === 'win32')('is given up by a machine that has no file left to open, and ends nothing else', async () => {
    const script = `
      import { openSync } from 'node:fs';
      import { startProber } from ${JSON.stringify(new URL('../../lib/emulator/probes/prober.ts', import.meta.url).href)};
      try { for (;;) openSync('/dev/null'); } catch {}
      startProber().probe({ type: 'ping', target: '127.0.0.1', atMs: 0 }).catch((error) => console.log(error.message));`;
    const limited = 'ulimit -n 128 && exec "$0" --input-type=module --eval "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, script]);
    expect(stdout).toBe('this machine could not send the probe (EMFILE)\n');
  });

  test('is a connection where the machine has no such command, taken or refused', async () => {
    await using platform = await probingPlatform({ pingCommand: '/nonexistent/ping' });
    const id = await watched(platform, '127.0.0.1');
    await later(platform, '20s');
    expect((await stateOf(platform, id)).regions.us_east).toMatchObject({ status: 'UP', probed_by: 'tcp' });
  });
});
