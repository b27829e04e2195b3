import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { turns } from '../../../chaos/turns.ts';
import { recipients } from '../../../emulator/alerting.ts';
import { clientOf, type Platform } from '../../../emulator/platform.ts';
import { chatReceiver } from '../../../emulator/receiver.ts';
import { hookSecrets } from '../deployment.ts';
import { type Finding, finding } from '../finding.ts';
import type { Field, Work } from './load.ts';

/** The tag of the instance behind what is watched, and so the name of the check. */
const name = 'soak-watched';
const patienceMs = 10_000;

/** A server that goes down and comes back, watched by uptime checks whose alerts tell people, and the hook that power-cycles what is behind it. */
export interface Watched extends AsyncDisposable {
  /** The server goes down or comes back, minutes pass on the account's clock, and one is told. */
  readonly work: Work;
  /** How many notices a hook of the deployment got. */
  readonly toHook: number;
  findings(): Promise<readonly Finding[]>;
}

export async function watched(field: Field, account: string): Promise<Watched> {
  const { ready } = field.deployment;
  const [own, platform] = [clientOf(ready.platform, ready.token), clientOf(ready.platform, account)];
  const people = await chatReceiver();
  const server = await flappingServer();
  const startedAt = performance.now();
  await succeeded(own, '/v2/droplets', { name, region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64', tags: [name] });
  await succeeded(own, '/v2/uptime/checks', { ...check, name: 'steady', target: `${server.url}/steady` });
  const { check: made } = await succeeded(platform, '/v2/uptime/checks', { ...check, name, target: `${server.url}/flapping` });
  const hook = `${ready.hooks}/uptime-down/${hookSecrets.UPTIME_HOOK_TOKEN}`;
  const alert = { name, type: 'down', period: '2m', notifications: recipients({ chat: [people.url, hook] }) };
  await succeeded(platform, `/v2/uptime/checks/${made.id}/alerts`, alert);
  await pass(platform, '5m');
  let flips = 0;
  const inTurn = turns();
  const flip = async (): Promise<void> => {
    server.isDown = !server.isDown;
    await pass(platform, '5m');
    flips += 1;
    const until = performance.now() + patienceMs;
    while (people.deliveries.length < flips && performance.now() < until) await setTimeout(5);
    const text: string = people.deliveries[flips - 1]?.body.text ?? 'nothing';
    if (!text.startsWith(server.isDown ? 'DOWN: ' : 'RECOVERED: '))
      throw new Error(`people are told ${text}, the server is ${server.isDown ? 'down' : 'up'}`);
  };
  return {
    work: () => inTurn(flip),
    get toHook() {
      return flips;
    },
    async findings() {
      const { entries } = (await platform.get('/_emulator/outbox')).body;
      const stuck = entries.filter(({ state }: { readonly state: string }) => state !== 'delivered').length;
      const keys = new Set(people.deliveries.map(({ headers }) => headers['idempotency-key']));
      const told = `${people.deliveries.length} of ${flips}, ${people.deliveries.length - keys.size} twice, ${stuck} not delivered`;
      const wholeMinutes = Math.floor((performance.now() - startedAt) / 60_000);
      return [
        finding('notices to people', told, 'all, each once', people.deliveries.length === flips && keys.size === flips && stuck === 0),
        finding(
          'probes of a check that is up, by the true time',
          `${server.steady} in ${wholeMinutes} minutes`,
          'one a minute',
          server.steady >= wholeMinutes,
        ),
      ];
    },
    async [Symbol.asyncDispose]() {
      await people[Symbol.asyncDispose]();
      server.end();
    },
  };
}

const check = { type: 'http', regions: ['us_east'], enabled: true } as const;

async function flappingServer() {
  const server = createServer((request, response) => {
    if (request.url === '/steady') state.steady += 1;
    response.writeHead(request.url === '/flapping' && state.isDown ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state = {
    // Safe: the server listens on a TCP port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isDown: false,
    steady: 0,
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
  return state;
}

async function pass(platform: Platform, span: string): Promise<void> {
  await succeeded(platform, '/_emulator/clock', { advance: span });
}

async function succeeded(platform: Platform, path: string, body: object) {
  const answer = await platform.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
