import type { Effort } from './effort.ts';
import type { Table } from './table.ts';

export interface Section {
  readonly name: string;
  readonly title: string;
  /** Loaded in the process that measures it, and there alone. */
  readonly load: () => Promise<{ readonly run: (effort: Effort) => Promise<readonly Table[]> }>;
  /** Why there is no quick form of it, where there is none. */
  readonly slowBecause?: string;
}

/** Everything that is measured, in the order of the page. */
export const sections: readonly Section[] = [
  { name: 'router', title: 'The router', load: () => import('../router.ts') },
  { name: 'hooks', title: 'Webhooks in', load: () => import('../hooks.ts') },
  { name: 'gateway', title: 'The gateway beside others', load: () => import('../gateway.ts') },
  { name: 'host', title: 'The functions host', load: () => import('../host.ts') },
  { name: 'dev', title: 'Developing functions', load: () => import('../dev.ts') },
  { name: 'emulator', title: 'The emulator', load: () => import('../emulator.ts') },
  { name: 'start', title: '`npm start` with all functions', load: () => import('../start.ts') },
  { name: 'store', title: 'The emulator with many records', load: () => import('../emulator-store.ts') },
  { name: 'sizes', title: 'Cost against size', load: () => import('../sizes.ts') },
  { name: 'probes', title: 'Uptime checks', load: () => import('../probes.ts'), slowBecause: 'a check is probed once a minute' },
];
