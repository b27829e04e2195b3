import fc from 'fast-check';
import { describe, it } from 'vitest';
import { callsOf, hintsOf } from '../../lib/catalogue/tool.ts';
import { everyTool } from '../support/call-of.ts';
import { type Arrived, scriptedPlatform } from '../support/platform.ts';
import { argumentsOf } from './arguments-of.ts';
import { holds } from './holds.ts';
import { hostileValue, ofEntries } from './hostile.ts';
import { errorCodes, fuzzedRouter, secrets, toldSecret } from './served.ts';

const casesOfEach = 30;

/** A platform that answers anything: what was asked for with anything in it, or anything at all. */
const reply = fc.tuple(
  fc.constantFrom(200, 201, 202, 204, 400, 404, 409, 412, 422, 500),
  fc.oneof(
    hostileValue.map((value) => JSON.stringify(value)),
    fc.string(),
  ),
);

/** Mostly too little for `Wait` to look again, which takes half a second; a few times enough. */
const leftMs = fc.oneof({ arbitrary: fc.constant(2400), weight: 30 }, { arbitrary: fc.constant(2700), weight: 1 });

/** Arguments, or a record, whose members are all placeholders. */
const anything = new Proxy({}, { get: () => '{any}' });

describe('a call, whatever its arguments are and whatever the platform answers, sends no other requests than declared and has one answer that tells no secret', () => {
  it.each(everyTool.toolsets.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    let replies: readonly (readonly [number, string])[] = [];
    const arrived: Arrived[] = [];
    const platform = await scriptedPlatform((response, request) => {
      arrived.push(request);
      const [status, text] = replies[arrived.length % replies.length] ?? [404, '{}'];
      response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : text);
    });
    const invoke = fuzzedRouter(platform.url);
    // What a call set going may be looked at, where the tool says so.
    const follows = tool.follow ? [`GET ${decodeURIComponent(tool.follow.path(anything, anything))}`] : [];
    const declared = [...callsOf(tool), ...follows].map(declaredCall);
    const envelopes = [tool.returns ?? []].flat();
    const fitting = fc.tuple(
      fc.constant(200),
      fc
        .array(fc.tuple(fc.constantFrom('id', 'name', 'links', 'meta', ...envelopes), hostileValue), { maxLength: 3 })
        .map((entries) => JSON.stringify(ofEntries(entries))),
    );
    const answers = fc.array(fc.oneof(reply, fitting), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(argumentsOf(everyTool.schemaOf(name)), answers, leftMs, async (given, scripted, left) => {
      replies = scripted;
      arrived.length = 0;
      const body = JSON.stringify(given);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${secrets.platform}` };
      const seen = await invoke({ http: { method: 'POST', path: `/tools/${name}`, queryString: '', headers, body } }, left);
      for (const { method, url } of arrived) {
        const asked = `${method} ${url.split('?')[0]}`;
        const allowed = declared.some((pattern) => pattern.test(asked)) && (method === 'GET' || !hintsOf(tool).readOnly);
        if (!allowed) throw new Error(`${asked} is not what ${name} declares: ${callsOf(tool).join(', ')}`);
      }
      const secret = toldSecret(seen.text) ?? toldSecret(seen.logText);
      if (secret) throw new Error(`${secret} is told in ${seen.text.slice(0, 500)} or in ${seen.logText.slice(0, 500)}`);
      const code = codeIn(seen.answer);
      if (code === 'internal_error' || (code !== undefined && !errorCodes.has(code))) throw new Error(seen.text.slice(0, 1000));
    });
    await holds('calls over a platform that answers anything', casesOfEach, property);
  });
});

/** A request by its method and path, with any one segment in the place of each argument. */
function declaredCall(call: string): RegExp {
  const [exact = ''] = call.split('?');
  return new RegExp(`^${exact.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/?#]+')}$`);
}

/** The code of an answer that is a failure; undefined for a result. Errors: the answer is not well formed. */
function codeIn(answer: unknown): unknown {
  // Safe: what a web event is answered with, as JSON; a wrong shape shows as undefined, or throws.
  const { statusCode, body = '' } = answer as { readonly statusCode: number; readonly body?: string };
  const { isError, error } = JSON.parse(body);
  if (isError === false) return undefined;
  return statusCode >= 400 ? error.code : `status ${statusCode} with ${body.slice(0, 200)}`;
}
