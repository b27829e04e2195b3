import crypto, { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { hooksFunction, nowSeconds, type Sent, settings, signed } from './support/sender.ts';

const secret = 'canary-secret';
const body = '{"id":"evt_1","action":"né"}';

/** One hook of each kind; each delivery that is believed reads the account. */
const hook = (verify: string) => `hooks:
  target:
    verify: ${verify}
    secret: [env:NEW_SECRET, env:SECRET]
    caller: ci
    on: [{ run: [{ tool: account-get-information }] }]
`;

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const hexOf = (...parts: readonly string[]) => createHmac('sha512', secret).update(parts.join('')).digest('hex');
const hmac = 'hmac\n    hmac: { header: X-Signature, algorithm: sha512, prefix: "v=", timestamp: X-At }';
const whsec = `whsec_${Buffer.from(secret).toString('base64')}`;
const at = nowSeconds();

interface Case {
  readonly kind: string;
  readonly verify: string;
  readonly good: Sent & { readonly path?: string };
  /** The same, wrong in one way each. */
  readonly bad: Readonly<Record<string, Sent & { readonly path?: string }>>;
  readonly secret?: string;
}

const stale = at - 301;
const stripeSignature = signed.stripe(body, secret)['stripe-signature'];
const ofSlack = (time: string) => ({
  'x-slack-request-timestamp': time,
  'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`,
});
const cases: readonly Case[] = [
  {
    kind: 'GitHub',
    verify: 'github',
    good: { body, headers: signed.github(body, secret) },
    bad: {
      unsigned: { body, headers: { 'x-github-delivery': 'one' } },
      'signed with another secret': { body, headers: signed.github(body, 'other') },
      changed: { body: `${body} `, headers: signed.github(body, secret) },
      'with the older SHA-1 alone': {
        body,
        headers: { 'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}` },
      },
    },
  },
  {
    kind: 'Stripe',
    verify: 'stripe',
    good: { body, headers: signed.stripe(body, secret) },
    bad: {
      unsigned: { body },
      stale: { body, headers: signed.stripe(body, secret, stale) },
      'of the future': { body, headers: signed.stripe(body, secret, at + 400) },
      'with another time than was signed': {
        body,
        headers: { 'stripe-signature': signed.stripe(body, secret, stale)['stripe-signature'].replace(String(stale), String(at)) },
      },
      changed: { body: `${body} `, headers: signed.stripe(body, secret) },
      'signed under a scheme that is not taken': { body, headers: { 'stripe-signature': stripeSignature.replace('v1=', 'v2=') } },
      'cut off before its signature': { body, headers: { 'stripe-signature': stripeSignature.replace(/v1=.*/, 'v1') } },
    },
  },
  {
    kind: 'Stripe, its fields in another order',
    verify: 'stripe',
    good: { body, headers: { 'stripe-signature': stripeSignature.split(',').reverse().join(', ') } },
    bad: {},
  },
  {
    kind: 'Slack',
    verify: 'slack',
    good: { body, headers: signed.slack(body, secret) },
    bad: {
      unsigned: { body, headers: { 'x-slack-request-timestamp': String(at) } },
      stale: { body, headers: signed.slack(body, secret, stale) },
      changed: { body: `${body} `, headers: signed.slack(body, secret) },
      'of a time that is none': { body, headers: ofSlack('now') },
      'of a time with more around it': { body, headers: ofSlack(` ${at} `) },
      'of a time in hexadecimal': { body, headers: ofSlack(`0x${at.toString(16)}`) },
    },
  },
  {
    kind: 'Standard Webhooks',
    verify: 'standard-webhooks',
    secret: whsec,
    good: { body, headers: signed.standard(body, secret) },
    bad: {
      unsigned: { body },
      stale: { body, headers: signed.standard(body, secret, stale) },
      'under no id': { body, headers: signed.standard(body, secret, at, '') },
      'under another id': { body, headers: { ...signed.standard(body, secret), 'webhook-id': 'other' } },
      'signed with the secret as text': { body, headers: signed.standard(body, whsec) },
    },
  },
  {
    kind: 'Svix, under its own names',
    verify: 'standard-webhooks',
    secret: whsec,
    good: { body, headers: signed.standard(body, secret, at, 'msg_svix', 'svix') },
    bad: { stale: { body, headers: signed.standard(body, secret, stale, 'msg_svix', 'svix') } },
  },
  {
    kind: 'a keyed digest of its own kind',
    verify: hmac,
    good: { body, headers: { 'x-at': String(at), 'x-signature': `v=${hexOf(`${at}.`, body)}` } },
    bad: {
      'without its time': { body, headers: { 'x-signature': `v=${hexOf(body)}` } },
      stale: { body, headers: { 'x-at': String(stale), 'x-signature': `v=${hexOf(`${stale}.`, body)}` } },
      'without its prefix': { body, headers: { 'x-at': String(at), 'x-signature': hexOf(`${at}.`, body) } },
    },
  },
  {
    kind: 'a keyed digest without a time',
    verify: 'hmac\n    hmac: { header: X-Signature, algorithm: sha512 }',
    good: { body, headers: { 'x-signature': hexOf(body) } },
    bad: { unsigned: { body }, changed: { body: `${body} `, headers: { 'x-signature': hexOf(body) } } },
  },
  {
    kind: 'a bearer',
    verify: 'bearer',
    good: { body, headers: { authorization: `bearer ${secret}` } },
    bad: {
      unknown: { body, headers: { authorization: 'Bearer other' } },
      'more than a bearer': { body, headers: { authorization: `Bearer ${secret} other` } },
      'of another scheme': { body, headers: { authorization: `X-Bearer ${secret}` } },
      none: { body },
    },
  },
  {
    kind: 'name and password',
    verify: 'basic',
    secret: 'user:canary-secret',
    good: { body, headers: { authorization: basic('user:canary-secret').replace('Basic', 'basic') } },
    bad: {
      unknown: { body, headers: { authorization: basic('user:other') } },
      'more than a name and a password': { body, headers: { authorization: `${basic('user:canary-secret')} other` } },
      'of another scheme': { body, headers: { authorization: `X-${basic('user:canary-secret')}` } },
      none: { body },
    },
  },
  {
    kind: 'a token in the address',
    verify: 'url-token',
    good: { body, path: '/target/canary-secret' },
    bad: { unknown: { body, path: '/target/other' }, none: { body } },
  },
];

/** What the sender is told of what is wrong, where it is more than that the proof does not hold. */
const nothingShown = 'nothing that proves its sender';
const outOfTime = 'a timestamp outside the tolerance';
const told: Readonly<Record<string, string>> = { unsigned: nothingShown, none: nothingShown, stale: outOfTime, 'of the future': outOfTime };

describe.each(cases)('a hook that verifies $kind', ({ verify, good, bad, secret: value = secret }) => {
  const platformOf = () => scriptedPlatform((response) => json(response, 200, { account: { email: 'captain@example.com' } }));

  it('believes what is signed with its secret, also over bytes that arrive encoded, and while the secret is replaced', async () => {
    const platform = await platformOf();
    const { send } = hooksFunction(hook(verify), { ...settings(platform.url), SECRET: value });
    const { path = '/target', ...sent } = good;
    expect(await send(path, sent)).toMatchObject({ status: 200, json: { status: 'done', calls: [{ isError: false }] } });
    const rotating = hooksFunction(hook(verify), { ...settings(platform.url), NEW_SECRET: 'the-next-one', SECRET: value });
    expect((await rotating.send(path, { ...sent, body: Buffer.from(body) })).json.status).toBe('done');
    expect(platform.arrived).toHaveLength(2);
  });

  it.each(Object.entries(bad))('refuses what is %s, and does nothing', async (name, { path = '/target', ...sent }) => {
    const platform = await platformOf();
    const { send, audited } = hooksFunction(hook(verify), { ...settings(platform.url), SECRET: value });
    const answer = await send(path, sent);
    expect(answer).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      json: { error: { code: 'unauthenticated' } },
    });
    expect(answer.json.error.message).toContain(`it shows ${told[name] ?? ''}`);
    expect(audited).toMatchObject([{ hook: 'target', outcome: 'refused', http: 401 }]);
    expect(JSON.stringify([answer, audited])).not.toContain('canary');
    expect(platform.arrived).toHaveLength(0);
  });
});

it('believes by a comparison in constant time, and by nothing else', async () => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual').mockReturnValue(false);
  onTestFinished(() => compare.mockRestore());
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
  for (const { kind, verify, good, secret: value = secret } of cases) {
    const { send } = hooksFunction(hook(verify), { ...settings(platform.url), SECRET: value });
    const { path = '/target', ...sent } = good;
    expect((await send(path, sent)).status, kind).toBe(401);
  }
  compare.mockReturnValue(true);
  const { send } = hooksFunction(hook('github'), settings(platform.url));
  expect((await send('/target', { body, headers: signed.github(body, 'other') })).status).toBe(200);
});

it('takes one of several signatures, as senders show them while a secret is replaced', async () => {
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
  const { send } = hooksFunction(hook('standard-webhooks'), settings(platform.url));
  const headers = signed.standard(body, secret, at, 'msg_two');
  const several = { ...headers, 'webhook-signature': `v1,bm90aGluZw== ${headers['webhook-signature']}` };
  expect((await send('/target', { body, headers: several })).json.status).toBe('done');
});

it('signs over bytes that are no text', async () => {
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
  const { send } = hooksFunction(hook('github'), settings(platform.url));
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  expect(
    (await send('/target', { body: bytes, headers: { ...signed.github(bytes, secret), 'content-type': 'image/png' } })).json.status,
  ).toBe('done');
});
