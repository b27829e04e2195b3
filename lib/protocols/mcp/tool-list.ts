import { misspelt } from '../../access/misspelt.ts';
import type { Selection } from '../../access/selection.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';

/** The field of an address that has the list say what results look like too. */
export const schemasWord = 'schemas';

/**
 * The tools of a selection as MCP lists them, a JSON array. Without `?schemas=full` it is spliced from text that is ready; with it each tool has its
 * `outputSchema` besides, which few clients use and every model would pay for.
 *
 * @throws ToolError `invalid_arguments` for another value of the field
 */
export async function toolList(catalogue: Catalogue, { everything, admits }: Selection, query: URLSearchParams): Promise<string> {
  const listed = everything ? catalogue.list() : catalogue.list(admits);
  const wanted = query.get(schemasWord);
  if (wanted === null) return listed;
  if (wanted !== 'full') throw misspelt(schemasWord, wanted, 'full; leave it out for input schemas alone', 'full');
  const { outputSchema } = await import('../../catalogue/output-schema.ts');
  // Safe: the list is rendered from declarations.
  const tools = JSON.parse(listed) as readonly { readonly name: string }[];
  const whole = tools.map((tool) => ({ ...tool, outputSchema: outputSchema(catalogue.tool(tool.name), catalogue.schemaOf(tool.name)) }));
  return JSON.stringify(whole);
}
