import { z } from 'zod';
import { initialPerPage } from '../../catalogue/per-page.ts';
import type { Query } from '../../catalogue/platform-calls.ts';

export function clusterId() {
  return z.string();
}

/** The arguments of lists that the platform returns whole unless a page is asked for. */
export function optionalPaging() {
  return {
    page: z.string().optional().describe('Without page and per_page: everything'),
    per_page: z.int().min(1).optional(),
  };
}

/** The page is an integer that the specification passes as text. */
export const pageText = { page: 'integer' } as const;

/** What is asked of the platform for a page; nothing where none is asked for. */
export function pageQuery({ page, per_page }: { readonly page?: string; readonly per_page?: number }): Query {
  if (page === undefined && per_page === undefined) return {};
  return { page: Number(page ?? 1), per_page: per_page ?? initialPerPage };
}

/** The members of clusters and users that nobody sees unasked: passwords, addresses that carry them, private keys. */
export const databaseSecrets = ['password', 'uri', 'access_key'];
