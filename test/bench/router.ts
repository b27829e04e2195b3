import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildAll } from '../../build/bundle.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { type Table, tabulate } from './harness/table.ts';
import { coldTable } from './router/cold-start.ts';
import { bareRequest, loadMain, p99Of } from './router/warm.ts';
import { loopbackCertificate, withPlatform } from './router/with-platform.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bundle = at('../../packages/gateway/router/bundle.js');

/** Measures the router: cold over an empty function on the same Node, warm over the platform call alone. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  await buildAll(at('../..'));
  const overTls = await withPlatform((url) => coldOverTls(url, effort), 'https');
  const [overHttp, called] = await withPlatform(async (url) => [await cold(url, effort), await warm(url, effort)] as const);
  return [overHttp, overTls, called];
}

function cold(url: string, effort: Effort): Promise<Table> {
  return coldTable(
    effort,
    { bundle, url },
    {
      title: 'Cold start of the router',
      starts: { list: 'list', call: 'call' },
      shown: {
        list: { name: 'load + first tools/list', mark: { of: 'difference', beside: 'empty', atMost: 12 } },
        call: { name: 'load + first tools/call', mark: { of: 'difference', beside: 'empty', atMost: 40 } },
      },
    },
  );
}

/** With what the first connection of a process takes: the authorities are read, hands are shaken. */
function coldOverTls(url: string, effort: Effort): Promise<Table> {
  return coldTable(
    effort,
    { bundle, url, environment: { NODE_EXTRA_CA_CERTS: loopbackCertificate } },
    {
      title: 'Cold start of the router, its platform over TLS',
      starts: { call: 'call' },
      shown: { call: { name: 'load + first tools/call' } },
    },
  );
}

/** The router's `main` and the bare request in one process, over kept connections. */
async function warm(url: string, effort: Effort): Promise<Table> {
  process.env.PLATFORM_API_URL = url;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account-get-information' } });
  const headers = { authorization: 'Bearer b', 'content-type': 'application/json' };
  const event = { http: { method: 'POST', path: '/mcp', queryString: '', headers, body } };
  const main = loadMain(bundle);
  const agent = new http.Agent({ keepAlive: true });
  const calls = effort.isQuick ? 100 : 1000;
  const title = 'A warm call of the router';
  const measures = { alone: () => p99Of(calls, () => bareRequest(url, agent)), through: () => p99Of(calls, () => main(event)) };
  const seen = await interleave(effort, { title, control: 'alone', watched: 'p50Ms', measures });
  agent.destroy();
  const shown = { alone: { name: 'the platform call alone, over `node:http`' }, through: { name: '`main` with the same call' } };
  const mark = { of: 'difference', atMost: 1 } as const;
  return tabulate(seen, { title: `${title}, p99`, unit: 'ms', metric: 'p99Ms', shown: { ...shown, through: { ...shown.through, mark } } });
}
