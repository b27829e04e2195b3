import { ToolError } from '../errors.ts';
import type { WebRequest } from '../functions/event.ts';
import type { Settings } from '../functions/settings.ts';

/**
 * Turns away web pages that were not let in: a page of another site must not speak to a server on this machine in its reader's name.
 * Requests without an `Origin`, which is all that programs send, pass.
 *
 * @throws ToolError `forbidden`, naming the setting that lets the origin in.
 */
export function checkOrigin({ headers }: WebRequest, settings: Settings): void {
  const { origin, host } = headers;
  if (origin === undefined || settings.allowedOrigins.includes(origin)) return;
  const local = isLoopback(hostnameOf(origin)) && (host === undefined || isLoopback(hostnameOf(`http://${host}`)));
  if (local) return;
  throw new ToolError('forbidden', `pages of ${origin.slice(0, 100)} may not call this; the setting ALLOWED_ORIGINS lets an origin in`);
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
