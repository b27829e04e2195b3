import { findDatabaseSize } from '../../catalogue/database-sizes.ts';
import { integerId } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { clusters } from '../databases/clusters.ts';
import { droplets } from '../droplets/droplets.ts';
import { loadBalancers } from '../load-balancers/load-balancers.ts';
import { type Run, runsOfDroplet, secondOf } from './runs.ts';

/** What is measured: a resource as it is, and when it ran. */
interface Measured {
  readonly id: string;
  readonly bornAt: number;
  readonly runs: readonly Run[];
}

export interface DropletSubject extends Measured {
  readonly kind: 'droplet';
  readonly vcpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly interfaces: readonly string[];
}

export interface BalancerSubject extends Measured {
  readonly kind: 'load balancer';
  readonly nodes: number;
  /** Whether it understands what it forwards. */
  readonly http: boolean;
  /** Whether it ends encryption itself. */
  readonly tls: boolean;
  /** When each droplet behind it ran. */
  readonly members: () => readonly (readonly Run[])[];
}

export interface DatabaseSubject extends Measured {
  readonly kind: 'database';
  readonly engine: string;
  readonly vcpus: number;
}

export type Subject = DropletSubject | BalancerSubject | DatabaseSubject;
export type SubjectKind = Subject['kind'];

/** Finds what has this id; undefined when nothing that is measured does. Ids of the kinds can not be taken for each other. */
export function findSubject(account: Account, id: string): Subject | undefined {
  return findDroplet(account, id) ?? findBalancer(account, id) ?? findDatabase(account, id);
}

const BYTES_PER_MIB = 2 ** 20;
const BYTES_PER_GIB = 2 ** 30;

export function findDroplet(account: Account, id: string): DropletSubject | undefined {
  const droplet = droplets.get(account, integerId(id) ?? 0);
  if (droplet === undefined) {
    return undefined;
  }
  const { wire, hidden } = droplet;
  const { publicV4, privateV4 } = hidden.addresses;
  return {
    kind: 'droplet',
    id: String(wire.id),
    bornAt: secondOf(wire.created_at),
    runs: runsOfDroplet(account, wire),
    vcpus: wire.vcpus,
    memoryBytes: wire.memory * BYTES_PER_MIB,
    diskBytes: wire.disk * BYTES_PER_GIB,
    interfaces: [...(publicV4 === undefined ? [] : ['public']), ...(privateV4 === undefined ? [] : ['private'])],
  };
}

export function findBalancer(account: Account, id: string): BalancerSubject | undefined {
  const wire = loadBalancers.get(account, id.toLowerCase())?.wire;
  if (wire === undefined) {
    return undefined;
  }
  const protocols = wire.forwarding_rules.filter((rule) => !rule.tls_passthrough).map((rule) => rule.entry_protocol);
  const isGlobal = wire.type === 'GLOBAL';
  return {
    kind: 'load balancer',
    id: wire.id,
    bornAt: secondOf(wire.created_at),
    runs: runsSince(wire.created_at, wire.status === 'active'),
    nodes: wire.size_unit,
    http: isGlobal || protocols.some((protocol) => protocol.startsWith('http')),
    tls: isGlobal || protocols.some((protocol) => ['https', 'http2', 'http3'].includes(protocol)),
    members: () =>
      memberIds(account, wire.id).flatMap((member) => {
        const droplet = droplets.get(account, member)?.wire;
        return droplet === undefined ? [] : [runsOfDroplet(account, droplet)];
      }),
  };
}

export function findDatabase(account: Account, id: string): DatabaseSubject | undefined {
  const wire = clusters.get(account, id.toLowerCase())?.wire;
  return (
    wire && {
      kind: 'database',
      id: wire.id,
      bornAt: secondOf(wire.created_at),
      runs: runsSince(wire.created_at, wire.status !== 'creating' && wire.status !== 'forking'),
      engine: wire.engine,
      vcpus: findDatabaseSize(wire.size)?.vcpus ?? 1,
    }
  );
}

function runsSince(createdAt: string, isUp: boolean): readonly Run[] {
  return isUp ? [{ from: secondOf(createdAt), to: Number.POSITIVE_INFINITY }] : [];
}

/** The droplets behind a load balancer, named one by one or by a tag. */
function memberIds(account: Account, id: string): readonly number[] {
  const shown: { readonly droplet_ids: readonly number[] } = JSON.parse(loadBalancers.text(account, id) ?? '{"droplet_ids":[]}');
  return shown.droplet_ids;
}
