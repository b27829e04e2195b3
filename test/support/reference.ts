import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Schema } from '../../lib/catalogue/schema.ts';

const folder = fileURLToPath(new URL('../../../shared/reference/', import.meta.url));

/** False where the reference documents are not beside the project; what compares with them is then skipped. */
export const hasReference = existsSync(folder);

export interface ReferenceCall {
  readonly method: string;
  readonly path: string;
  readonly response: { readonly envelope: string | null };
}

export interface ReferenceArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: unknown;
  readonly enum: readonly string[] | null;
  /** The shape of an object, or of the objects in a list. */
  readonly schema?: Schema;
  /** Fields of that shape which the platform has and the specification does not name. */
  readonly notesFieldsNotInSpecification?: readonly string[];
}

/** A tool as the reference transcribes the specification. */
export interface ReferenceTool {
  readonly name: string;
  readonly domain: string;
  readonly aliasOf?: string;
  readonly args: readonly ReferenceArgument[];
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  /** `variants` where an argument chooses among several calls. */
  readonly http: ReferenceCall & { readonly variants?: readonly ReferenceCall[] };
}

export function referenceTools(): readonly ReferenceTool[] {
  // The transcription has a word of its prose in the place of "peer", also within names.
  const text = readFileSync(`${folder}tools.json`, 'utf8').replaceAll('another client', 'peer');
  // Safe: the file is the project's own reference, and what does not fit fails the comparison.
  return JSON.parse(text) as readonly ReferenceTool[];
}
