import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Verification } from '../../lib/webhooks/hook.ts';
import { disbelief } from '../../lib/webhooks/verify.ts';
import { nowSeconds, signed } from '../webhooks/support/sender.ts';
import { holds } from './holds.ts';
import { hostileText } from './hostile.ts';

const secret = 'canary-signing-secret';
const standardSecret = `whsec_${Buffer.from(secret).toString('base64')}`;

interface Scheme {
  readonly verification: Verification;
  readonly secret: string;
  readonly sign: (body: Buffer, at: number) => Readonly<Record<string, string>>;
}

const ownHeader: Verification = {
  kind: 'hmac',
  header: 'x-signature',
  algorithm: 'sha512',
  encoding: 'base64',
  prefix: 'v=',
  timestamp: 'x-at',
};
const schemes: Readonly<Record<string, Scheme>> = {
  github: { verification: { kind: 'github' }, secret, sign: (body) => signed.github(body, secret) },
  stripe: { verification: { kind: 'stripe' }, secret, sign: (body, at) => signed.stripe(body, secret, at) },
  slack: { verification: { kind: 'slack' }, secret, sign: (body, at) => signed.slack(body, secret, at) },
  'standard-webhooks': {
    verification: { kind: 'standard-webhooks' },
    secret: standardSecret,
    sign: (body, at) => signed.standard(body, secret, at),
  },
  hmac: {
    verification: ownHeader,
    secret,
    sign: (body, at) => ({
      'x-at': String(at),
      'x-signature': `v=${createHmac('sha512', secret).update(`${at}.`).update(body).digest('base64')}`,
    }),
  },
};

/** The headers whose every byte counts, by scheme. */
const counting: Readonly<Record<string, readonly string[]>> = {
  github: ['x-hub-signature-256'],
  slack: ['x-slack-signature', 'x-slack-request-timestamp'],
  'standard-webhooks': ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  hmac: ['x-at', 'x-signature'],
  stripe: ['stripe-signature'],
};

const bodies = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const casesOfEach = 1600;

describe.each(Object.entries(schemes))('a delivery signed as %s', (kind, { verification, secret: held, sign }) => {
  const believed = (bytes: Buffer, headers: Readonly<Record<string, string>>) =>
    disbelief({ bytes, headers }, verification, ['another', held]) === undefined;

  it('is believed as it was signed, and not with any byte of its body changed', async () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    const property = fc.property(bodies, change, (body, [at, bits]) => {
      const headers = sign(body, nowSeconds());
      if (!believed(body, headers)) throw new Error('not believed as it was signed');
      const changed = body.length === 0 ? Buffer.from([bits]) : Buffer.from(body);
      if (body.length > 0) changed[at % body.length] = (changed[at % body.length] ?? 0) ^ bits;
      if (believed(changed, headers)) throw new Error('believed with another body');
      if (believed(Buffer.concat([body, Buffer.from([bits])]), headers)) throw new Error('believed with more behind it');
    });
    await holds('signatures: bodies', casesOfEach, property);
  });

  it('is not believed with a character of its proof, its time or its id changed', async () => {
    const [first = '', ...others] = counting[kind] ?? [];
    const property = fc.property(
      bodies,
      fc.constantFrom(first, ...others),
      fc.nat(),
      fc.constantFrom(...'0123456789abcdefABCXYZ+/=-. '),
      (body, name, at, put) => {
        const headers = sign(body, nowSeconds());
        const whole = headers[name] ?? '';
        // Behind its proof Stripe carries one of an older scheme, which does not count.
        const end = kind === 'stripe' ? whole.indexOf(',v0=') : whole.length;
        const place = at % end;
        const value = whole.slice(0, place) + put + whole.slice(place + 1);
        if (meansTheSame(whole, value)) return;
        if (believed(body, { ...headers, [name]: value })) throw new Error(`believed with ${name}: ${value} for ${whole}`);
      },
    );
    await holds('signatures: proofs', casesOfEach, property);
  });

  it('is not believed when it is stale, of the future, or signed with another secret', async () => {
    const off = fc.oneof(fc.integer({ min: 302, max: 10 ** 9 }), fc.integer({ min: -(10 ** 9), max: -302 }));
    const property = fc.property(bodies, off, fc.array(hostileText, { maxLength: 2 }), (body, seconds, wrong) => {
      if (kind !== 'github' && believed(body, sign(body, nowSeconds() + seconds))) throw new Error(`believed ${seconds} s off`);
      if (
        disbelief(
          { bytes: body, headers: sign(body, nowSeconds()) },
          verification,
          wrong.filter((text) => text !== ''),
        ) === undefined
      )
        throw new Error('believed with another secret');
    });
    await holds('signatures: times and secrets', casesOfEach / 2, property);
  });
});

/** Whether two values of a header are one to whoever reads it: but for spaces at the ends. */
function meansTheSame(one: string, other: string): boolean {
  return one.trim() === other.trim();
}
