import { z } from 'zod';

/**
 * A positive integer that names a resource: instance, image, action, key. Described only where it says more than the names of argument and tool do: whatever
 * is said of an argument, is said in every list.
 */
export function id(description?: string) {
  return described(z.int().min(1), description);
}

export function page() {
  return z.int().min(1).default(1);
}

/** How many items a page has; `initial` is the specification's default for the list. What is above the most that is served becomes that. */
export function perPage(initial: number) {
  return z.int().min(1).default(initial);
}

/** The arguments of every paged list. */
export function paging(initialPerPage: number) {
  return { Page: page(), PerPage: perPage(initialPerPage) };
}

export function regionSlug() {
  return z.string().describe('Such as nyc3');
}

export function sizeSlug() {
  return z.string().describe('Out of size-list, such as s-1vcpu-1gb');
}

/** Whether secrets are shown; what they are, the tool declares. */
export function revealSecrets() {
  return z.boolean().default(false);
}

/** An identifier that is a text, mostly a UUID. */
export function uuid(description?: string) {
  return described(z.string(), description);
}

function described<Value extends z.ZodType>(value: Value, description: string | undefined): Value {
  return description === undefined ? value : value.describe(description);
}
