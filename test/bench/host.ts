import type { Effort } from './harness/effort.ts';
import type { Table } from './harness/table.ts';
import { coldTables } from './host/cold.ts';
import { warmTables } from './host/warm.ts';

/** Measures the host: warm calls of an empty function, by one caller and by many, and cold starts of every kind over its bare Node. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  return [...(await warmTables(effort)), ...(await coldTables(effort))];
}
