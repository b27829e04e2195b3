import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { hooksFunction, settings, token } from '../webhooks/support/sender.ts';

const cli = fileURLToPath(new URL('../../build/bin/deckhand.mjs', import.meta.url));
const secret = 'canary/secret+1';

/** One hook of each kind, and the secret that its sender and it share. */
const kinds: Readonly<Record<string, { readonly verify: string; readonly secret: string }>> = {
  github: { verify: 'github', secret },
  stripe: { verify: 'stripe', secret },
  slack: { verify: 'slack', secret },
  standard: { verify: 'standard-webhooks', secret: `whsec_${Buffer.from(secret).toString('base64')}` },
  keyed: { verify: 'hmac\n    hmac: { header: X-Signature, algorithm: sha512, encoding: base64, prefix: "v=", timestamp: X-At }', secret },
  bearer: { verify: 'bearer', secret },
  basic: { verify: 'basic', secret: `user:${secret}` },
  token: { verify: 'url-token', secret },
};
const variable = (kind: string) => `${kind.toUpperCase()}_SECRET`;
const secrets = Object.fromEntries(Object.entries(kinds).map(([kind, { secret: value }]) => [variable(kind), value]));
const text = `hooks:\n${Object.entries(kinds)
  .map(
    ([kind, { verify }]) => `  ${kind}:
    verify: ${verify}
    secret: env:${variable(kind)}
    caller: ci
    on: [{ run: [{ tool: account-get-information }] }]
`,
  )
  .join('')}`;

/** The address of the function, before a platform that has an account. */
async function served(): Promise<string> {
  const platform = await scriptedPlatform((response) => json(response, 200, { account: { email: 'captain@example.com' } }));
  const { send } = hooksFunction(text, { ...settings(platform.url), ...secrets });
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { status, json: body } = await send(request.url ?? '', { method: request.method, headers, body: Buffer.concat(chunks) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // Safe: the server listens on a TCP port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['github', 'github/push', { status: 'done' }],
  ['github', 'github/workflow_run', { status: 'done' }],
  ['github', 'github/ping', { status: 'ignored' }],
  ['stripe', 'stripe/invoice.payment_failed', { id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy', status: 'done' }],
  ['slack', 'slack/slash_command', { id: '13345224609.738474920', status: 'done' }],
  ['slack', 'slack/url_verification', { challenge: expect.stringMatching(/^3eZbrw1a/) }],
  ['standard', 'standard-webhooks/event', { status: 'done' }],
  ['keyed', 'github/push', { status: 'done' }],
  ['bearer', 'chat/uptime_down', { status: 'done' }],
  ['basic', 'chat/uptime_down', { status: 'done' }],
  ['token', 'chat/uptime_down', { status: 'done' }],
])('deckhand hooks send %s signs %s as its sender would', async (kind, fixture, answer) => {
  const args = [cli, 'hooks', 'send', kind, '--fixture', fixture, '--url', await served()];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...secrets, DECKHAND_TOKEN: token } });
  expect(JSON.parse(stdout)).toMatchObject(answer);
});

test.each([
  ['a page', '<html>'],
  ['the router', '{"status":"ok","tools":158}'],
])('an address where %s answers is told apart from the function of the webhooks', async (_, body) => {
  const elsewhere = await scriptedPlatform((response) => response.writeHead(200).end(body));
  for (const command of [['list'], ['deliveries', 'github'], ['send', 'github', '--fixture', 'github/ping']]) {
    await expect(promisify(execFile)(process.execPath, [cli, 'hooks', ...command, '--url', elsewhere.url])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^deckhand: http:\S+ is not the function of the webhooks: .*--url http:\/\/127\.0\.0\.1:3233\/hooks\n$/,
      ),
    });
  }
});

test('a body out of a folder is refused in a sentence', async () => {
  const sent = promisify(execFile)(process.execPath, [
    cli,
    'hooks',
    'send',
    'github',
    '--file',
    import.meta.dirname,
    '--url',
    'http://127.0.0.1:9',
  ]);
  await expect(sent).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^deckhand: EISDIR: .*: it is a folder; name a file\n$/),
  });
});
