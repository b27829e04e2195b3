import { cpuModes, filesystemLabels, filesystemShare, memoryCachedShare } from '../../assumptions.ts';
import type { Account } from '../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../family.ts';
import { type Gauges, gaugesOf } from './gauges.ts';
import { type Labelled, matrixReply } from './matrix.ts';
import { runAt } from './runs.ts';
import { type DropletSubject, findDroplet } from './subjects.ts';
import { parseWindow, required, requiredChoice } from './window.ts';

type SeriesOf = (gauges: Gauges, droplet: DropletSubject) => readonly Labelled[];

/** A droplet's metrics. The document knows no 404 here: of an unknown droplet there are no series. Source: operations monitoring_get_droplet*Metrics. */
export const dropletMetricRoutes: readonly Route[] = [
  route('GET /v2/monitoring/metrics/droplet/bandwidth', {}, (request, account) => {
    const network = requiredChoice(request.query, 'interface', ['private', 'public']);
    const direction = requiredChoice(request.query, 'direction', ['inbound', 'outbound']);
    return reply(request, account, (gauges, { id }) => [
      {
        labels: { direction, host_id: id, interface: network },
        at: (second) => gauges(`${network}_${direction}_bandwidth`)?.at(second),
      },
    ]);
  }),
  metric('cpu', cpuCounters),
  metric('filesystem_free', (gauges, droplet) => {
    const used = gauges('disk_utilization_percent');
    return [filesystem(droplet, (second) => bytes(used?.at(second), (percent) => sizeOf(droplet) * (1 - percent / 100)))];
  }),
  metric('filesystem_size', (gauges, droplet) => {
    const used = gauges('disk_utilization_percent');
    return [filesystem(droplet, (second) => bytes(used?.at(second), () => sizeOf(droplet)))];
  }),
  metric('load_1', (gauges, { id }) => [{ labels: { host_id: id }, at: (second) => gauges('load_1')?.at(second), digits: 2 }]),
  metric('load_5', (gauges, { id }) => [{ labels: { host_id: id }, at: (second) => gauges('load_5')?.at(second), digits: 2 }]),
  metric('load_15', (gauges, { id }) => [{ labels: { host_id: id }, at: (second) => gauges('load_15')?.at(second), digits: 2 }]),
  metric(
    'memory_cached',
    memory(({ cached }) => cached),
  ),
  metric(
    'memory_free',
    memory(({ free }) => free),
  ),
  metric(
    'memory_total',
    memory(({ total }) => total),
  ),
  metric(
    'memory_available',
    memory(({ free, cached }) => free + cached),
  ),
];

function metric(name: string, series: SeriesOf): Route {
  return route(`GET /v2/monitoring/metrics/droplet/${name}`, {}, (request, account) => reply(request, account, series));
}

function reply({ query }: PlatformRequest, account: Account, series: SeriesOf): object {
  const hostId = required(query, 'host_id');
  const window = parseWindow(query, account);
  const droplet = findDroplet(account, hostId);
  return matrixReply(window, droplet === undefined ? [] : series(gaugesOf(account, droplet), droplet));
}

/** How many seconds all processors together have spent in each mode since the start: the modes add up to all there were. */
function cpuCounters(gauges: Gauges, { id, runs, vcpus }: DropletSubject): readonly Labelled[] {
  const cpu = gauges('cpu');
  const since = (second: number, spent: (from: number, busy: number) => number): number | undefined => {
    const run = runAt(runs, second);
    return run && cpu && spent(run.from, (vcpus * cpu.series.area(run.from, second)) / 100);
  };
  const idle: Labelled = {
    labels: { host_id: id, mode: 'idle' },
    at: (second) => since(second, (from, busy) => vcpus * (second - from) - busy),
    digits: 2,
  };
  const others = Object.entries(cpuModes).map(
    ([mode, part]): Labelled => ({ labels: { host_id: id, mode }, at: (second) => since(second, (_from, busy) => part * busy), digits: 2 }),
  );
  return [idle, ...others];
}

function filesystem({ id }: DropletSubject, at: Labelled['at']): Labelled {
  return { labels: { device: filesystemLabels.device, fstype: filesystemLabels.fstype, host_id: id, mountpoint: '/' }, at };
}

const sizeOf = ({ diskBytes }: DropletSubject): number => Math.round(diskBytes * filesystemShare);

interface Memory {
  readonly total: number;
  readonly free: number;
  /** Taken by the cache, which gives it back. */
  readonly cached: number;
}

/** What is used, the cache and what is free add up to the total. */
function memory(part: (memory: Memory) => number): SeriesOf {
  return (gauges, { id, memoryBytes }) => {
    const used = gauges('memory_utilization_percent');
    const at = (second: number): number | undefined =>
      bytes(used?.at(second), (percent) => {
        const available = Math.round(memoryBytes * (1 - percent / 100));
        const cached = Math.round(available * memoryCachedShare);
        return part({ total: memoryBytes, free: available - cached, cached });
      });
    return [{ labels: { host_id: id }, at }];
  };
}

function bytes(percent: number | undefined, of: (percent: number) => number): number | undefined {
  return percent === undefined ? undefined : Math.round(of(percent));
}
