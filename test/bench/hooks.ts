import { createHmac } from 'node:crypto';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildAll } from '../../build/bundle.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { type Table, tabulate } from './harness/table.ts';
import { coldTable } from './router/cold-start.ts';
import { bareRequest, loadMain, p99Of } from './router/warm.ts';
import { withPlatform } from './router/with-platform.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bundle = at('../../packages/gateway/hooks/bundle.js');
const environment = {
  PLATFORM_API_TOKEN: 'token',
  ACCESS_TOKENS: `ci=sha256:${'ab'.repeat(32)}`,
  SLACK_SIGNING_SECRET: 'signing secret',
  UPTIME_HOOK_TOKEN: 'token',
};

/** Measures the hooks, by the slash command and the chat messages of this project's hooks.yml: cold over an empty function on the same Node, warm over the bare call. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  await buildAll(at('../..'));
  return withPlatform(async (url) => [await cold(url, effort), await warm(url, effort)]);
}

function cold(url: string, effort: Effort): Promise<Table> {
  return coldTable(
    effort,
    { bundle, url, environment },
    {
      title: 'Cold start of the hooks',
      starts: { ignored: () => delivery('/nothing'), byEngine: chatMessage, carriedOut: () => delivery('/account') },
      shown: {
        // Verified, told from those before it, held against its condition and remembered.
        ignored: { name: 'load + first delivery, which calls nothing', mark: { of: 'difference', beside: 'empty', atMost: 30 } },
        // Held against a regular expression.
        byEngine: { name: 'the same, where the condition takes the engine of JSONata' },
        carriedOut: { name: 'load + first delivery with its call' },
      },
    },
  );
}

/** The hooks' `main` and the bare request in one process, over kept connections. */
async function warm(url: string, effort: Effort): Promise<Table> {
  Object.assign(process.env, environment, { PLATFORM_API_URL: url });
  const main = loadMain(bundle);
  const agent = new http.Agent({ keepAlive: true });
  const calls = effort.isQuick ? 100 : 1000;
  const title = 'A signed hook to its tool call';
  const measures = {
    alone: () => p99Of(calls, () => bareRequest(url, agent)),
    through: () => p99Of(calls, () => main(delivery('/account'))),
  };
  const seen = await interleave(effort, { title, control: 'alone', watched: 'p50Ms', measures });
  agent.destroy();
  return tabulate(seen, {
    title: `${title}, p50`,
    unit: 'ms',
    metric: 'p50Ms',
    shown: {
      alone: { name: 'the platform call alone, over `node:http`' },
      through: { name: '`main` with a delivery that makes the same call', mark: { of: 'difference', atMost: 3 } },
    },
  });
}

let deliveries = 0;

/** A chat message that tells of no outage, each with an id of its own. */
function chatMessage(): object {
  deliveries += 1;
  const headers = { 'content-type': 'application/json', 'idempotency-key': String(deliveries) };
  const body = JSON.stringify({ text: 'RECOVERED: shop after 7m 12s', attachments: [{ title: 'RECOVERED: shop' }] });
  return { http: { method: 'POST', path: `/uptime-down/${environment.UPTIME_HOOK_TOKEN}`, queryString: '', headers, body } };
}

/** A slash command as Slack sends and signs it, each with an id of its own. */
function delivery(command: string): object {
  const seconds = Math.floor(Date.now() / 1000);
  deliveries += 1;
  const body = new URLSearchParams({ command, trigger_id: `${seconds}.${deliveries}` }).toString();
  const signature = createHmac('sha256', environment.SLACK_SIGNING_SECRET).update(`v0:${seconds}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${signature}`,
  };
  return { http: { method: 'POST', path: '/slack-ops', queryString: '', headers, body } };
}
