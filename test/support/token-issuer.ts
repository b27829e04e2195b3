import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** A server that issues tokens: its keys are behind `keysUrl`, and `token` signs with the newest. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly keysUrl: string;
  /** The public keys as they are published, as JSON. */
  readonly jwks: () => string;
  /** How often the keys were asked for. */
  readonly asked: () => number;
  /** From now on signs with another key, published beside the old ones unless that is kept secret. */
  rotate(published?: boolean): Promise<void>;
  /** Publishes none of its keys any more. */
  withdraw(): void;
  /** Answers for the keys with this status from now on. */
  answerKeysWith(status: number): void;
  end(): void;
  /** A token for `audience`; claims that are given replace its own, undefined ones go. */
  token(audience: string, claims?: Readonly<Record<string, unknown>>, header?: { readonly kid?: undefined }): Promise<string>;
}

/** An issuer of the test's own; it ends with the test. */
export async function tokenIssuer(alg?: string): Promise<TokenIssuer> {
  const issuer = await startIssuer(alg);
  onTestFinished(issuer.end);
  return issuer;
}

/** An issuer on this machine, with a key made for it. */
export async function startIssuer(alg = 'ES256'): Promise<TokenIssuer> {
  const published: object[] = [];
  let status = 200;
  let asked = 0;
  const server = http.createServer((_, response) => {
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: the server listens on a TCP port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${url}/`;
  let signing: { readonly kid: string; readonly privateKey: CryptoKey } | undefined;
  let made = 0;
  const rotate = async (publish = true) => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    made += 1;
    const kid = `key-${made}`;
    if (publish) published.push({ ...(await exportJWK(publicKey)), kid, alg });
    signing = { kid, privateKey };
  };
  await rotate();
  return {
    issuer,
    keysUrl: `${url}/keys`,
    jwks: () => JSON.stringify({ keys: published }),
    asked: () => asked,
    rotate,
    withdraw: () => {
      published.length = 0;
    },
    answerKeysWith: (answered) => {
      status = answered;
    },
    end: () => {
      server.closeAllConnections();
      server.close();
    },
    async token(audience, claims = {}, header = {}) {
      if (!signing) throw new Error('there is no key yet');
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer, aud: audience, sub: 'ada', exp: now + 600, iat: now, scope: 'deckhand:write' };
      const payload = Object.fromEntries(Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined));
      // Safe: tests also sign what no payload should hold.
      return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg, kid: signing.kid, ...header }).sign(signing.privateKey);
    },
  };
}
