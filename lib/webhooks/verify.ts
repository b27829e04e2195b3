import type { HmacVerification, Verification } from './hook.ts';
import { hmac, matchesAny, standardKey } from './signature.ts';

/** What a sender shows, beside what it has to say. */
export interface Shown {
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** The segment behind the hook's name in the address. */
  readonly token?: string;
}

/** Why a delivery is not believed; told to its sender and kept in the log. It says nothing of the secret. */
export type Disbelief = 'nothing that proves its sender' | 'a timestamp outside the tolerance' | 'a proof that does not hold';

/** How far a signed timestamp may be off (Standard Webhooks; Stripe and Slack say the same). */
const toleranceMs = 5 * 60_000;

/**
 * Tells whether a delivery comes from a holder of one of the secrets; undefined where it does. Signatures are computed over the body's bytes.
 *
 * Sources: GitHub "Validating webhook deliveries", Stripe "Verify webhook signatures manually", Slack "Verifying requests from Slack",
 * Standard Webhooks 1.0 (svix-* are the same under older names).
 */
export function disbelief(shown: Shown, verification: Verification, secrets: readonly string[]): Disbelief | undefined {
  const { headers, bytes } = shown;
  switch (verification.kind) {
    case 'github':
      return judged(
        listed(headers['x-hub-signature-256']),
        secrets.map((secret) => `sha256=${hmac('sha256', secret, [bytes]).toString('hex')}`),
      );
    case 'stripe':
      return stripe(shown, secrets);
    case 'slack': {
      const at = headers['x-slack-request-timestamp'];
      return timely(at, (timestamp) =>
        judged(
          listed(headers['x-slack-signature']),
          secrets.map((secret) => `v0=${hmac('sha256', secret, [`v0:${timestamp}:`, bytes]).toString('hex')}`),
        ),
      );
    }
    case 'standard-webhooks':
      return standard(shown, secrets);
    case 'hmac':
      return ownScheme(shown, verification, secrets);
    case 'bearer':
      return judged(listed(/^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]), secrets);
    case 'basic':
      return judged(
        listed(/^Basic +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]).map((text) => Buffer.from(text, 'base64').toString('utf8')),
        secrets,
      );
    case 'url-token':
      return judged(listed(shown.token), secrets);
  }
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]` */
function stripe({ headers, bytes }: Shown, secrets: readonly string[]): Disbelief | undefined {
  const fields = (headers['stripe-signature'] ?? '').split(',').map((field) => field.trim().split('='));
  const valuesOf = (wanted: string) => fields.flatMap(([name, value]) => (name === wanted && value ? [value] : []));
  return timely(valuesOf('t')[0], (timestamp) =>
    judged(
      valuesOf('v1'),
      secrets.map((secret) => hmac('sha256', secret, [`${timestamp}.`, bytes]).toString('hex')),
    ),
  );
}

/** `v1,<base64>`, several between spaces */
function standard({ headers, bytes }: Shown, secrets: readonly string[]): Disbelief | undefined {
  const field = (name: string) => headers[`webhook-${name}`] ?? headers[`svix-${name}`];
  const id = field('id');
  if (!id) return 'nothing that proves its sender';
  return timely(field('timestamp'), (timestamp) =>
    judged(
      (field('signature') ?? '').split(' ').filter((signature) => signature.startsWith('v1,')),
      secrets.map((secret) => `v1,${hmac('sha256', standardKey(secret), [`${id}.${timestamp}.`, bytes]).toString('base64')}`),
    ),
  );
}

function ownScheme({ headers, bytes }: Shown, scheme: HmacVerification, secrets: readonly string[]): Disbelief | undefined {
  const { algorithm, encoding, prefix } = scheme;
  const signed = (parts: readonly (string | Buffer)[]) =>
    judged(
      listed(headers[scheme.header]),
      secrets.map((secret) => `${prefix}${hmac(algorithm, secret, parts).toString(encoding)}`),
    );
  return scheme.timestamp === undefined ? signed([bytes]) : timely(headers[scheme.timestamp], (at) => signed([`${at}.`, bytes]));
}

/** Goes on with a timestamp, in seconds, that is within the tolerance. */
function timely(timestamp: string | undefined, goOn: (timestamp: string) => Disbelief | undefined): Disbelief | undefined {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return 'nothing that proves its sender';
  const offMs = Math.abs(Date.now() - Number(timestamp) * 1000);
  return offMs > toleranceMs ? 'a timestamp outside the tolerance' : goOn(timestamp);
}

function judged(shown: readonly string[], expected: readonly string[]): Disbelief | undefined {
  if (shown.length === 0) return 'nothing that proves its sender';
  return matchesAny(shown, expected) ? undefined : 'a proof that does not hold';
}

function listed(value: string | undefined): readonly string[] {
  return value ? [value] : [];
}
