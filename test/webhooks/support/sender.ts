import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { catalogue } from '../../../lib/catalogue/catalogue.ts';
import { renderListing } from '../../../lib/catalogue/listing.ts';
import type { AuditRecord } from '../../../lib/webhooks/audit.ts';
import { compileHooks } from '../../../lib/webhooks/compile/compile-hooks.ts';
import { serveHooks } from '../../../lib/webhooks/serve-hooks.ts';
import { toolsets } from '../../../packages/gateway/hooks/tools.ts';

const listing = renderListing(toolsets);
/** The source of JSONata, as a bundle carries it. */
export const jsonata = async () => ({ engine: readFileSync(createRequire(import.meta.url).resolve('jsonata/jsonata.min.js'), 'utf8') });
const known = catalogue(toolsets, listing);

/** What is made of a hooks.yml for an installation without a store. */
export const compiled = (text: string, hasStore = false) => compileHooks(text, { file: 'hooks.yml', catalogue: known, hasStore });

export const token = 'dh_caller';

/** Settings with which a hook of the caller `ci` can act. */
export const settings = (platformUrl: string) => ({
  PLATFORM_API_URL: platformUrl,
  PLATFORM_API_TOKEN: 'canary-platform-token',
  ACCESS_TOKENS: `ci=sha256:${createHash('sha256').update(token).digest('hex')}, other=sha256:${createHash('sha256').update('dh_other').digest('hex')};readonly`,
  SECRET: 'canary-secret',
});

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly method?: string;
  /** How long the function may take. */
  readonly timeMs?: number;
}

/** The function behind raw web events, and what it has put into its log. */
export function hooksFunction(text: string, environment: Readonly<Record<string, string | undefined>>, engine = jsonata) {
  const audited: AuditRecord[] = [];
  const hooks = compiled(text, environment.KV_URL !== undefined);
  const main = serveHooks({ hooks, engine, toolsets, listing, environment, audit: (record) => audited.push(record) });
  const send = async (path: string, { method = 'POST', headers = {}, body = '', timeMs }: Sent = {}): Promise<Answered> => {
    const [pathname = '', queryString = ''] = path.split('?');
    const wire = typeof body === 'string' ? { body, isBase64Encoded: false } : { body: body.toString('base64'), isBase64Encoded: true };
    const context = { activationId: 'a'.repeat(32), ...(timeMs !== undefined && { deadline: Date.now() + timeMs }) };
    const answer = await main({ http: { method, path: pathname, queryString, headers, ...wire } }, context);
    const json = answer.headers?.['content-type'] === 'application/json' ? JSON.parse(answer.body ?? '') : undefined;
    return { status: answer.statusCode, headers: answer.headers ?? {}, json };
  };
  return { main, send, audited };
}

type Key = string | Buffer;

const keyed = (key: Key, ...parts: readonly (string | Buffer)[]) => {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest;
};

export const nowSeconds = () => Math.floor(Date.now() / 1000);

let deliveries = 0;

/** How each kind of sender signs, written down from its own documentation. */
export const signed = {
  github: (body: string | Buffer, secret: string, id = `delivery-${++deliveries}`, event = 'push') => ({
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${keyed(secret, body).digest('hex')}`,
  }),
  stripe: (body: string | Buffer, secret: string, at = nowSeconds()) => ({
    'content-type': 'application/json',
    'stripe-signature': `t=${at},v1=${keyed(secret, `${at}.`, body).digest('hex')},v0=ignored`,
  }),
  slack: (body: string | Buffer, secret: string, at = nowSeconds(), type = 'application/json') => ({
    'content-type': type,
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${keyed(secret, `v0:${at}:`, body).digest('hex')}`,
  }),
  standard: (body: string | Buffer, key: Key, at = nowSeconds(), id = `msg_${++deliveries}`, prefix = 'webhook') => ({
    'content-type': 'application/json',
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(at),
    [`${prefix}-signature`]: `v1,${keyed(key, `${id}.${at}.`, body).digest('base64')}`,
  }),
};
