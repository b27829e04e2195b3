import { z } from 'zod';
import { maxPerPage } from './per-page.ts';

/** A positive integer that names a resource: instance, image, action, key. */
export function id(description: string) {
  return z.int().min(1).describe(description);
}

export function page() {
  return z.int().min(1).default(1).describe('Page to return');
}

/** How many items a page has; `initial` is the specification's default for the list. */
export function perPage(initial: number) {
  return z.int().min(1).default(initial).describe(`Items per page, at most ${maxPerPage}`);
}

/** The arguments of every paged list. */
export function paging(initialPerPage: number) {
  return { Page: page(), PerPage: perPage(initialPerPage) };
}

export function regionSlug() {
  return z.string().describe('Region slug, such as nyc3');
}

export function sizeSlug() {
  return z.string().describe('Size slug from size-list, such as s-1vcpu-1gb');
}

/** Whether secrets are shown; what they are, the tool declares. */
export function revealSecrets() {
  return z.boolean().default(false).describe('Show passwords and private keys');
}

/** An identifier that is a text, mostly a UUID. */
export function uuid(description: string) {
  return z.string().describe(description);
}
