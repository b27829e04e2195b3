import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../shared/reference/', import.meta.url));

/** False where the reference documents are not beside the project; what compares with them is then skipped. */
export const hasReference = existsSync(folder);

/** A tool as the reference transcribes the specification. */
export interface ReferenceTool {
  readonly name: string;
  readonly domain: string;
  readonly aliasOf?: string;
  readonly args: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly default: unknown;
    readonly enum: readonly string[] | null;
  }[];
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly http: { readonly method: string; readonly path: string; readonly response: { readonly envelope: string | null } };
}

export function referenceTools(): readonly ReferenceTool[] {
  // Safe: the file is the project's own reference, and what does not fit fails the comparison.
  return JSON.parse(readFileSync(`${folder}tools.json`, 'utf8')) as readonly ReferenceTool[];
}
