import { describe, expect, it } from 'vitest';
import { formAnswer, formRequest, InputRequired, StateRefused } from '../../lib/access/client-input.ts';
import { seal, unseal } from '../../lib/access/seal.ts';
import type { Method } from '../../lib/protocols/mcp/method.ts';
import { gateway } from '../support/gateway.ts';

const secret = 'a secret of the installation';

/** A call that deletes nothing before its client's user has typed the name. */
const deleteWhenConfirmed: Method = (_, { call: { input } }) => {
  if (!input.canElicit) return JSON.stringify({ content: [], structuredContent: { canElicit: false } });
  const answer = formAnswer(input, 'confirm');
  if (!answer) {
    const fields = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    throw new InputRequired({ confirm: formRequest('Type web-1 to delete it', fields) }, seal({ asked: 'web-1' }, secret));
  }
  const state = unseal(input.state ?? '', secret);
  if (state === undefined) throw new StateRefused('the state was not handed out here');
  return JSON.stringify({ resultType: 'complete', content: [], structuredContent: { answer, state } });
};

const question: Method = () => {
  throw new InputRequired({ who: formRequest('Who?', { type: 'object', properties: {} }) });
};

const request = gateway(
  {},
  { methods: { modern: { 'tools/call': deleteWhenConfirmed, 'tools/list': question }, legacy: { 'tools/call': deleteWhenConfirmed } } },
);

async function call(params: Readonly<Record<string, unknown>> = {}, capabilities: object = { elicitation: {} }, method = 'tools/call') {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'x' };
  const body = { jsonrpc: '2.0', id: 1, method, params: { name: 'x', ...params, _meta } };
  const { json } = await request('POST', '/mcp', { headers, body });
  expect(json.id).toBe(1);
  return json;
}

const accepted = { confirm: { action: 'accept', content: { name: 'web-1' } } };

describe('a call that needs an answer of its client', () => {
  it('asks by a result, and is carried out when it comes again with the answer and the state', async () => {
    const { result } = await call();
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Type web-1 to delete it',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
      },
      requestState: expect.stringMatching(/^[\w-]+$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'deckhand', title: 'Deckhand', version: expect.any(String) } },
    });
    const retried = await call({ inputResponses: accepted, requestState: result.requestState });
    expect(retried.result.structuredContent).toEqual({
      answer: { action: 'accept', content: { name: 'web-1' } },
      state: { asked: 'web-1' },
    });
  });

  it.each(['decline', 'cancel'])('hears that its user chose to %s', async (action) => {
    const { result } = await call();
    const retried = await call({ inputResponses: { confirm: { action } }, requestState: result.requestState });
    expect(retried.result.structuredContent.answer).toEqual({ action });
  });

  it.each([
    ['was never handed out', 'AAAA'],
    ['is missing', undefined],
    ['was sealed by somebody else', seal({ asked: 'web-1' }, 'another secret')],
    ['has text added', `${seal({ asked: 'web-1' }, secret)}AA`],
    ['has text in it that no seal has', `${seal({ asked: 'web-1' }, secret)}!`],
    ['was cut', seal({ asked: 'web-1' }, secret).slice(0, -4)],
  ])('refuses a state that %s', async (_, requestState) => {
    expect((await call({ inputResponses: accepted, requestState })).error).toMatchObject({ code: -32602 });
  });

  it.each([
    ['an answer to something else', { other: { action: 'accept', content: {} } }],
    ['an answer without its fields', { confirm: { action: 'accept' } }],
    ['an answer that nobody knows', { confirm: { action: 'perhaps', content: {} } }],
    ['a name that every object has', { toString: { action: 'accept', content: {} } }],
  ])('asks again upon %s', async (_, inputResponses) => {
    expect((await call({ inputResponses })).result.resultType).toBe('input_required');
  });

  it.each([
    ['answers that are none', { inputResponses: null }],
    ['an answer that is a number', { inputResponses: { confirm: 12_345 } }],
    ['a state that is no text', { requestState: { asked: 'web-1' } }],
  ])('refuses %s', async (_, params) => {
    expect((await call(params)).error).toMatchObject({ code: -32602 });
  });

  it.each([
    ['declares nothing of the kind', {}],
    ['can open addresses only', { elicitation: { url: {} } }],
    ['declares it as no object', { elicitation: true }],
  ])('knows that a client which %s cannot be asked', async (_, capabilities) => {
    expect((await call({}, capabilities)).result.structuredContent).toEqual({ canElicit: false });
  });

  it('knows that a client of an older revision cannot be asked', async () => {
    const { json } = await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } } });
    expect(json.result.structuredContent).toEqual({ canElicit: false });
  });

  it('is not let ask where the protocol has results alone', async () => {
    const { error } = await call({}, { elicitation: {} }, 'tools/list');
    expect(error).toMatchObject({ code: -32603, data: { code: 'internal_error' } });
  });
});

describe('a seal', () => {
  it('shows nothing of what is in it, and never the same text twice', () => {
    const [first, second] = [seal({ name: 'web-1' }, secret), seal({ name: 'web-1' }, secret)];
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('web-1');
    expect(first).not.toBe(second);
  });

  it('breaks wherever it is touched', () => {
    const bytes = Buffer.from(seal({ name: 'web-1' }, secret), 'base64url');
    const opened = [...bytes.keys()].map((at) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return unseal(changed.toString('base64url'), secret);
    });
    expect(opened.every((value) => value === undefined)).toBe(true);
  });
});
