import { activeDroplet, type Json, type Platform } from './platform.ts';

/** Whom an alert tells: a webhook, an address. */
export interface Told {
  readonly chat?: readonly string[];
  readonly mail?: readonly string[];
}

export const recipients = ({ chat = [], mail = [] }: Told): Json => ({ email: mail, slack: chat.map((url) => ({ channel: '#ops', url })) });

export async function advance(platform: Platform, span: string): Promise<void> {
  const { status, body } = await platform.post('/_emulator/clock', { advance: span });
  if (status !== 200) {
    throw new Error(`advance ${span}: ${status} ${body.message}`);
  }
}

export const outbox = async (platform: Platform, state = ''): Promise<Json[]> =>
  (await platform.get(`/_emulator/outbox${state && `?state=${state}`}`)).body.entries;

export const incidents = async (platform: Platform): Promise<Json[]> => (await platform.get('/_emulator/incidents')).body.incidents;

/** Has the processors of an instance be busy so much, from now on. */
export async function busy(platform: Platform, resource: number, percent: number): Promise<void> {
  await platform.post('/_emulator/metrics', { resource, metric: 'cpu', constant: percent });
}

/** A body for POST /v2/monitoring/alerts, with changes. */
export function policyBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'v1/insights/droplet/cpu',
    description: 'CPU is high',
    compare: 'GreaterThan',
    value: 80,
    window: '5m',
    entities: [],
    tags: [],
    alerts: { email: ['ops@example.com'], slack: [{ channel: '#ops', url: 'https://hooks.slack.com/services/T1/A1/x' }] },
    enabled: true,
    ...changes,
  };
}

/** A policy on the processors of instances, told to `told`. */
export async function cpuPolicy(platform: Platform, told: Told, changes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await platform.post('/v2/monitoring/alerts', policyBody({ alerts: recipients(told), ...changes }));
  if (status !== 200) {
    throw new Error(`POST /v2/monitoring/alerts: ${status} ${body.message}`);
  }
  return body.policy;
}

/** A busy instance with a policy on it, whose alert is due in five minutes. */
export async function busyDroplet(platform: Platform, told: Told, changes: Record<string, unknown> = {}): Promise<Json> {
  const droplet = await activeDroplet(platform, { name: 'web-01' });
  await busy(platform, droplet.id, 95);
  const policy = await cpuPolicy(platform, told, { entities: [String(droplet.id)], ...changes });
  return { droplet, policy };
}
