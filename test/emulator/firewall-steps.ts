import { expect } from 'vitest';
import type { Json, Platform } from './platform.ts';

export const INBOUND_WEB = { protocol: 'tcp', ports: '80', sources: { addresses: ['0.0.0.0/0', '::/0'] } };
export const INBOUND_SSH = { protocol: 'tcp', ports: '22', sources: { addresses: ['192.0.2.0/24'] } };
export const OUTBOUND_DNS = { protocol: 'udp', ports: '53', destinations: { addresses: ['0.0.0.0/0'] } };

/** Creates a firewall, which waits to be applied. */
export async function newFirewall(platform: Platform, body: Record<string, unknown> = {}): Promise<Json> {
  const made = await platform.post('/v2/firewalls', { name: 'wall', inbound_rules: [INBOUND_WEB], ...body });
  expect(made.status, made.body.message).toBe(202);
  return made.body.firewall;
}

/** Lets pending changes be applied. */
export async function settleFirewalls(platform: Platform): Promise<void> {
  await platform.post('/_emulator/clock', { advance: '5s' });
}

export async function lookAtFirewall(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/firewalls/${id}`)).body.firewall;
}

export function pendingChange(droplet_id: number, removing = false): Json {
  return { droplet_id, removing, status: 'waiting' };
}
