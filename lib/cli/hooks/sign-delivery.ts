import { randomUUID } from 'node:crypto';
import type { HmacVerification } from '../../webhooks/hook.ts';
import { hmac, standardKey } from '../../webhooks/signature.ts';
import type { DescribedHook } from './hooks-client.ts';

/** A delivery as its kind of sender would send it. */
export interface SignedDelivery {
  /** Behind the function's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a body for a hook with one of its secrets, at this moment and under a new id. */
export function signDelivery({ name, verify }: DescribedHook, body: string, secret: string): SignedDelivery {
  const path = `/${name}`;
  const at = String(Math.floor(Date.now() / 1000));
  const id = randomUUID();
  switch (verify.kind) {
    case 'github':
      return {
        path,
        headers: { 'x-github-delivery': id, 'x-hub-signature-256': `sha256=${hmac('sha256', secret, [body]).toString('hex')}` },
      };
    case 'stripe':
      return { path, headers: { 'stripe-signature': `t=${at},v1=${hmac('sha256', secret, [`${at}.${body}`]).toString('hex')}` } };
    case 'slack':
      return {
        path,
        headers: {
          'x-slack-request-timestamp': at,
          'x-slack-signature': `v0=${hmac('sha256', secret, [`v0:${at}:${body}`]).toString('hex')}`,
        },
      };
    case 'standard-webhooks': {
      const signature = hmac('sha256', standardKey(secret), [`${id}.${at}.${body}`]).toString('base64');
      return { path, headers: { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` } };
    }
    case 'hmac':
      return { path, headers: { 'webhook-id': id, ...ownHeaders(verify, body, secret, at) } };
    case 'bearer':
      return { path, headers: { 'webhook-id': id, authorization: `Bearer ${secret}` } };
    case 'basic':
      return { path, headers: { 'webhook-id': id, authorization: `Basic ${Buffer.from(secret).toString('base64')}` } };
    case 'url-token':
      return { path: `${path}/${encodeURIComponent(secret)}`, headers: { 'webhook-id': id } };
  }
}

function ownHeaders({ header, algorithm, encoding, prefix, timestamp }: HmacVerification, body: string, secret: string, at: string) {
  const signed = timestamp === undefined ? body : `${at}.${body}`;
  const signature = `${prefix}${hmac(algorithm, secret, [signed]).toString(encoding)}`;
  return { [header]: signature, ...(timestamp !== undefined && { [timestamp]: at }) };
}
