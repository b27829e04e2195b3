import { operationOf } from '../support/openapi.ts';
import type { Exchange } from '../support/recorded-platform.ts';

/** The operations of the document that succeeded, each once. */
export function driven(exchanges: readonly Exchange[]): readonly string[] {
  const succeeded = exchanges.filter(({ status }) => status < 300);
  return [...new Set(succeeded.flatMap(({ method, path }) => operationOf(method, path.split('?')[0] ?? '') ?? []))];
}

/** What the document has against the exchanges. */
export function problems(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges.flatMap((exchange) => exchange.problems);
}
