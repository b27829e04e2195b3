import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { hintsOf } from '../../lib/catalogue/tool.ts';
import { everyTool } from '../support/call-of.ts';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const document = async (path = '/openapi.json', context = {}) => (await gateway()('GET', path, { context })).json;

const listedSchema = (name: string) => JSON.parse(everyTool.entry(name)).inputSchema;

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(await document())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has an operation for every tool, with its title, schema and toolset', async () => {
    const { paths, tags } = await document();
    expect(Object.keys(paths)).toEqual(everyTool.names.map((name) => `/tools/${name}`));
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(everyTool.toolsets.map(({ name }) => name));
    expect(paths['/tools/key-get'].post).toMatchObject({
      operationId: 'key-get',
      summary: 'Get an SSH key',
      tags: ['account'],
      requestBody: { required: true, content: { 'application/json': { schema: everyTool.schemaOf('key-get') } } },
    });
    expect(paths['/tools/key-list'].post.requestBody.required).toBe(false);
  });

  it('says of each whether it changes something, and takes a key where it does', async () => {
    const { paths } = await document();
    for (const name of everyTool.names) {
      const { post } = paths[`/tools/${name}`];
      const { readOnly } = hintsOf(everyTool.tool(name));
      expect(post['x-openai-isConsequential'], name).toBe(!readOnly);
      expect(post.parameters !== undefined, name).toBe(!readOnly);
    }
  });

  it.each([
    ['/openapi.json?toolsets=dns', 14],
    ['/openapi.json?toolsets=dns&readonly=true', 6],
    ['/openapi.json?tools=key-*', 4],
  ])('has at %s only what is selected', async (path, count) => {
    const { paths, tags } = await document(path);
    expect(Object.keys(paths)).toHaveLength(count);
    expect(tags).toHaveLength(1);
  });

  it('refuses a misspelt selection', async () => {
    expect((await gateway()('GET', '/openapi.json?toolset=dns')).status).toBe(400);
  });

  it('names the address of the function, where the runtime tells it', async () => {
    const context = { apiHost: 'https://faas.example.com', functionName: '/fn-1/gateway/router' };
    expect((await document('/openapi.json', context)).servers).toEqual([
      { url: 'https://faas.example.com/api/v1/web/fn-1/gateway/router' },
    ]);
    expect((await document()).servers).toEqual([{ url: '.' }]);
  });

  it('describes what calls are answered', async () => {
    const { components } = await document();
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: 'document', components });
    const fits = (name: string) => ajv.compile({ $ref: `document#/components/responses/${name}/content/application~1json/schema` });
    const platform = await scriptedPlatform((response, { url }) =>
      url === '/v2/account/keys/7'
        ? json(response, 200, { ssh_key: { id: 7 } })
        : json(response, 404, { id: 'not_found', message: 'none' }),
    );
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const result = (await request('POST', '/tools/key-get', { body: { ID: 7 } })).json;
    expect([fits('Result')(result), fits('Failure')(result)]).toEqual([true, false]);
    for (const [tool, body] of [
      ['key-get', { ID: 8 }],
      ['key-get', { IDs: 8 }],
      ['key-gett', {}],
      ['key-delete', {}],
    ] as const) {
      const failure = (await request('POST', `/tools/${tool}`, { body })).json;
      expect([fits('Failure')(failure), fits('Result')(failure)], JSON.stringify(failure)).toEqual([true, false]);
    }
  });
});

describe('GET /tools?format=', () => {
  it('gives all tools as the models of OpenAI take them', async () => {
    const { json } = await gateway()('GET', '/tools?format=openai');
    expect(json.tools).toHaveLength(158);
    for (const { type, function: described } of json.tools) {
      expect(type).toBe('function');
      expect(described.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(described.parameters).toEqual(listedSchema(described.name));
      expect(described.description.length).toBeLessThanOrEqual(1024);
    }
  });

  it('gives all tools as the models of Anthropic take them', async () => {
    const { json } = await gateway()('GET', '/tools?format=anthropic');
    expect(json.tools).toHaveLength(158);
    for (const tool of json.tools) {
      expect(Object.keys(tool)).toEqual(['name', 'description', 'input_schema']);
      expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(tool.input_schema).toEqual(listedSchema(tool.name));
    }
  });

  it('takes a selection and a question along, and no format but those', async () => {
    const request = gateway();
    expect((await request('GET', '/tools?format=openai&toolsets=dns&readonly=true')).json.tools).toHaveLength(6);
    expect((await request('GET', '/tools?format=gemini')).json.error).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('openai, anthropic'),
    });
  });
});
