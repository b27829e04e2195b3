import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an `Authorization` header shows the namespace's `uuid:key`. Takes the same time whatever is wrong with it. */
export function showsCredentials(header: string | undefined, auth: string): boolean {
  if (header === undefined || !/^basic /i.test(header)) return false;
  return sameSecret(Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8'), auth);
}

/** Compares two secrets without telling by the time it takes where they differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
