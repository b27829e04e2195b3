import type { Selection } from '../access/selection.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { hintsOf, type Tool } from '../catalogue/tool.ts';
import { version } from '../catalogue/version.ts';
import { httpStatus } from '../errors.ts';
import type { Context } from '../functions/context.ts';
import { webAddress } from '../functions/web-address.ts';

/** The plain JSON calls of the tools that are let through, as an OpenAPI 3.1 document. */
export function openapiDocument(catalogue: Catalogue, selection: Selection, context: Context) {
  const toolsets = catalogue.toolsets
    .map((toolset) => ({ ...toolset, tools: toolset.tools.filter(selection.admits) }))
    .filter(({ tools }) => tools.length > 0);
  const paths = toolsets.flatMap(({ name, tools }) =>
    tools.map((tool) => [`/tools/${tool.name}`, { post: operation(tool, name, catalogue) }] as const),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Deckhand', version, description: 'The operations of a cloud platform as named tools.' },
    servers: [{ url: serverUrl(context) }],
    security: [{ bearer: [] }],
    tags: toolsets.map(({ name, title }) => ({ name, description: title })),
    paths: Object.fromEntries(paths),
    components,
  };
}

/** The function's own address; where the runtime does not tell, that of the document. */
function serverUrl({ apiHost, functionName }: Context): string {
  const name = /^\/([^/]+\/[^/]+\/[^/]+)$/.exec(functionName ?? '')?.[1];
  return apiHost && name ? webAddress(apiHost, name) : '.';
}

function operation(tool: Tool, toolset: string, catalogue: Catalogue) {
  const schema = catalogue.schemaOf(tool.name);
  const { readOnly } = hintsOf(tool);
  return {
    operationId: tool.name,
    tags: [toolset],
    summary: tool.title,
    description: tool.description,
    // Assistants that take such documents ask their user before each POST, unless they are told.
    'x-openai-isConsequential': !readOnly,
    ...(!readOnly && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    requestBody: { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema } } },
    responses: { 200: { $ref: '#/components/responses/Result' }, default: { $ref: '#/components/responses/Failure' } },
  };
}

const text = { type: 'string' };

const call = {
  type: 'object',
  properties: { tool: text, arguments: { type: 'object' } },
  required: ['tool', 'arguments'],
};

const problem = {
  type: 'object',
  properties: { field: text, got: text, expected: text, nearest: text },
  required: ['field', 'expected'],
};

const error = {
  type: 'object',
  properties: {
    code: { type: 'string', enum: Object.keys(httpStatus) },
    message: text,
    retryable: { type: 'boolean' },
    retryAfterMs: { type: 'number' },
    problems: { type: 'array', items: problem },
    platform: {
      type: 'object',
      description: 'What the platform answered, if it did',
      properties: { status: { type: 'integer' }, id: text, message: text, requestId: text },
    },
    next: { type: 'array', description: 'Calls that lead out', items: call },
  },
  required: ['code', 'message', 'retryable'],
};

const components = {
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'With the same key and arguments the call is carried out once',
      schema: { type: 'string', maxLength: 255 },
    },
  },
  responses: {
    Result: {
      description: 'What the tool answers',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { tool: text, isError: { const: false }, result: { type: 'object' }, activationId: text },
            required: ['tool', 'isError', 'result'],
          },
        },
      },
    },
    Failure: {
      description: 'Why it failed; the status is that of the code',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { tool: text, isError: { const: true }, error: { $ref: '#/components/schemas/Error' }, activationId: text },
            required: ['isError', 'error'],
          },
        },
      },
    },
  },
  schemas: { Error: error },
};
