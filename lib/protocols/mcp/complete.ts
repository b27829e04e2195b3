import { isRecord } from '../../catalogue/is-record.ts';
import { serverMeta } from './server-info.ts';

/** How long, and for whom, a client may keep a result; revision 2026-07-28 wants it on every list and on what is read. */
export interface Keep {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** A result's text: what it carries, and around that what revision 2026-07-28 has every result say. Older revisions know nothing of it. */
export function completeText(fields: Readonly<Record<string, unknown>>, modern: boolean, keep?: Keep): string {
  if (!modern) return JSON.stringify(fields);
  const meta = isRecord(fields._meta) ? fields._meta : {};
  return JSON.stringify({ resultType: 'complete', ...fields, ...keep, _meta: { ...meta, ...serverMeta } });
}
