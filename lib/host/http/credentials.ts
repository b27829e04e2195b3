import { createHash, timingSafeEqual } from 'node:crypto';

/** The `id:secret` of an `Authorization` header of the scheme Basic; undefined for another scheme or none. */
export function basicCredentials(header: string | undefined): string | undefined {
  if (header === undefined || !/^basic /i.test(header)) return undefined;
  return Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8');
}

/** Compares two secrets without telling by the time it takes where they differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
