import type { ObjectSchema } from '../../../catalogue/schema.ts';

/** The three tools that stand for all others. */
export type DiscoveryName = 'tool-search' | 'tool-read' | 'tool-run';

/** A tool as `tools/list` has it. */
export interface DiscoveryTool {
  readonly name: DiscoveryName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>>;
}

/** How many tools a search shows whole, unless it is asked for more. */
const usualLimit = 5;

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

/** A call as errors and truncated results name the next one, so that it can be passed on as it is. */
const callSchema: ObjectSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: 'Its name, from tool-search' },
    arguments: { type: 'object', description: 'Its arguments, as tool-search has them' },
  },
  required: ['tool'],
  additionalProperties: false,
};

export const discoveryTools: readonly DiscoveryTool[] = [
  {
    name: 'tool-search',
    title: 'Find tools',
    description:
      'Finds tools by what they do, in any words, such as "restart a server" or "dns record". Each comes with its arguments and with the tool to call it by. Without a query: the names of all.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is to be done, or a name' },
        limit: { type: 'integer', minimum: 1, maximum: 20, default: usualLimit },
      },
      additionalProperties: false,
    },
    annotations: { ...reading, openWorldHint: false },
  },
  {
    name: 'tool-read',
    title: 'Call a tool that reads',
    description: 'Calls a tool that changes nothing; any other is refused. Safe to allow for good.',
    inputSchema: callSchema,
    annotations: { ...reading, openWorldHint: true },
  },
  {
    name: 'tool-run',
    title: 'Call any tool',
    description:
      'Calls any tool, also those that create, change or delete. Those take DryRun: true among their arguments, which shows the request and sends nothing, and Confirm.',
    inputSchema: callSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
];

/** The tools of a selection: where nothing may be changed, none that changes. */
export function discoveryToolsFor({ readOnly }: { readonly readOnly: boolean }): readonly DiscoveryTool[] {
  return discoveryTools.filter(({ annotations }) => !readOnly || annotations.readOnlyHint);
}
