import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../lib/host/start-host.ts';

/** What is measured where the function itself is not: one that answers at once. */
export const emptyFunction = 'exports.main = () => ({ body: { ok: true } })';

export interface DeployOptions {
  readonly kind?: string;
  readonly code?: string;
  readonly memory?: number;
}

/** Deploys a raw web function in the default package; returns the path it is requested at. */
export async function deploy(
  host: Pick<Host, 'url' | 'namespace' | 'auth'>,
  name: string,
  { kind = 'nodejs:24', code = emptyFunction, memory = 256 }: DeployOptions = {},
): Promise<string> {
  const annotations = ['web-export', 'raw-http'].map((key) => ({ key, value: true }));
  const reply = await fetch(`${host.url}/api/v1/namespaces/_/actions/${name}?overwrite=true`, {
    method: 'PUT',
    headers: { authorization: `Basic ${btoa(host.auth)}` },
    body: JSON.stringify({ exec: { kind, code }, annotations, limits: { memory } }),
  });
  if (!reply.ok) throw new Error(`deploying ${name}: ${reply.status} ${await reply.text()}`);
  return `/api/v1/web/${host.namespace}/default/${name}`;
}

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
}
