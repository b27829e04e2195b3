import type { Reply, TestHost } from './test-host.ts';
import { talkTo } from './test-host.ts';

export const apiToken = 'dh_token-of-the-account';

/** Calls `/v2/functions<path>` of a host, as the account unless another `Authorization` is given. */
export async function platform(
  host: { readonly url: string },
  method: string,
  path: string,
  body?: unknown,
  authorization: string | undefined = `Bearer ${apiToken}`,
): Promise<Reply> {
  const response = await fetch(`${host.url}/v2/functions${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The header that shows `id:secret`. */
export function basic(auth: string): string {
  return `Basic ${Buffer.from(auth).toString('base64')}`;
}

/** Makes a namespace on a host and talks to the host from within it. */
export async function addNamespace(host: TestHost, label: string): Promise<TestHost> {
  const { body } = await platform(host, 'POST', '/namespaces', { label, region: 'nyc1' });
  const { namespace, uuid, key } = body.namespace;
  return talkTo({ ...host, namespace, auth: `${uuid}:${key}` }, host.dataDir);
}
