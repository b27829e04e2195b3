import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import type { ProberOptions } from '../../lib/emulator/start-emulator.ts';
import { emptyPlatform, type Json, type Platform } from './platform.ts';

/** Something to probe, on a free port of this machine. */
export interface Target extends AsyncDisposable {
  readonly port: number;
}

export function httpTarget(answer: RequestListener): Promise<Target> {
  return listening(createServer(answer));
}

export function tlsTarget(pem: TlsOptions, answer?: RequestListener): Promise<Target> {
  return listening(createTlsServer(pem, answer ?? ((_request, response) => response.end('up'))));
}

export function tcpTarget(take: (socket: Socket) => void): Promise<Target> {
  return listening(createTcpServer((socket) => take(socket.on('error', () => undefined))));
}

async function listening(server: Server): Promise<Target> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => open.add(socket.on('close', () => open.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/**
 * A server that has stopped taking connections, with as many waiting as may: Linux drops whatever asks for another.
 * Its thread listens and then does nothing.
 */
export async function fullTarget(): Promise<Target> {
  const worker = new Worker(
    `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true },
  );
  const [port] = await once(worker, 'message');
  const waiting: Socket[] = [];
  // One more than the backlog says.
  for (let place = 0; place < 2; place++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    waiting.push(socket);
    await once(socket, 'connect');
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}

/** A command in the place of `ping`. */
export function pingCommand(script: string): Disposable & { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-ping-'));
  const path = join(directory, 'ping');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { path, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A certificate of some days that is its own authority, with its key. */
export function shortCertificate(name: string, days = 5): { readonly cert: string; readonly key: string } {
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-tls-'));
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const says = ['-days', String(days), '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  try {
    const made = spawnSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...says]);
    expect([made.status, made.error]).toEqual([0, undefined]);
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** An empty account on a clock that stands still, whose checks are really probed. */
export function probingPlatform(probes: ProberOptions = {}): Promise<Platform> {
  return emptyPlatform({ probes: { timeoutMs: 5000, ...probes } });
}

/** Makes a check and answers its id. */
export async function watched(platform: Platform, target: string, changes: Record<string, unknown> = {}): Promise<string> {
  const type = target.includes('://') ? target.split(':')[0] : 'ping';
  const body = { name: 'watched', type, target, regions: ['us_east'], enabled: true, ...changes };
  const { status, body: made } = await platform.post('/v2/uptime/checks', body);
  expect(status, JSON.stringify(made)).toBe(201);
  return made.check.id;
}

/** Moves the clock on; what is probed on the way has been when this resolves. */
export async function later(platform: Platform, span: string): Promise<void> {
  await platform.post('/_emulator/clock', { advance: span });
}

export async function stateOf(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/uptime/checks/${id}/state`)).body.state;
}

export async function probesOf(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/_emulator/probes?check=${id}`)).body.probes;
}

/** Something that a test waits for. */
export function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach: () => reach() };
}
