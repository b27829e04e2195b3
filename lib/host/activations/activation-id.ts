import { randomUUID } from 'node:crypto';

/**
 * A new id of an activation: 32 hexadecimal digits, the first 12 of them the time in milliseconds, so that the store writes one after
 * another at the end of its index and not all over it.
 */
export function activationId(): string {
  return Date.now().toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12);
}
