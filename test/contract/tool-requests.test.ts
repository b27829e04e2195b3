import { describe, expect, it, test } from 'vitest';
import type { PlatformRequest } from '../../lib/client/request.ts';
import { everyTool } from '../support/call-of.ts';
import { openapiPresent, operationOf, validateRequest } from '../support/openapi.ts';
import { routedCases, runCases } from '../tools/cases/every-case.ts';
import { globalLoadBalancerCases } from '../tools/cases/traffic.ts';

/** What is wrong with a request by the platform's document. */
function problemsOf({ method, path, body }: PlatformRequest): readonly string[] {
  const [bare = '', query = ''] = path.split('?');
  return validateRequest(method, bare, body, Object.fromEntries(new URLSearchParams(query)));
}

/** Lists that the document does not page; the platform's own clients ask them for pages all the same. */
const notPaged = /^GET \/v2\/(databases|customers\/my\/billing_history).*: query (page|per_page): not in the document$/;

describe.skipIf(!openapiPresent)("the tools' requests by the platform document", () => {
  const global = new Set(globalLoadBalancerCases);

  it.each(routedCases.filter((each) => !global.has(each)))('%s %j', (_name, _given, request) => {
    expect(problemsOf(request).filter((problem) => !notPaged.test(problem))).toEqual([]);
  });

  it.each(runCases)('%s %j', (_name, _given, _replies, requests) => {
    expect(requests.flatMap(problemsOf).filter((problem) => !notPaged.test(problem))).toEqual([]);
  });

  it.each(globalLoadBalancerCases)(
    '%s %j is refused for nothing but what the document requires of regional ones',
    (_name, _given, request) => {
      expect(new Set(problemsOf(request).map((problem) => problem.replace(/.*: \/ /, '')))).toEqual(
        new Set([
          "must have required property 'droplet_ids'",
          "must have required property 'region'",
          "must have required property 'forwarding_rules'",
          "must have required property 'tag'",
          'must match a schema in anyOf',
        ]),
      );
    },
  );
});

test('every tool has a call that is held to the document', () => {
  const held = new Set([...routedCases, ...runCases].map(([name]) => everyTool.tool(name).name));
  expect(everyTool.names.filter((name) => !held.has(name))).toEqual([]);
});

test.skipIf(!openapiPresent)('every call that a tool declares is an operation of the document, and is made by one of its calls', () => {
  for (const { name, calls = [] } of everyTool.toolsets.flatMap(({ tools }) => tools)) {
    const made = runCases.filter(([tool]) => tool === name).flatMap(([, , , requests]) => requests);
    const operations = made.map(({ method, path }) => operationOf(method, path.split('?')[0] ?? ''));
    expect(operations).not.toContain(undefined);
    expect(new Set(operations.map((operation) => operation?.replace(/\{\w+\}/g, '{}')))).toEqual(
      new Set(calls.map((call) => call.replace(/\{\w+\}/g, '{}'))),
    );
  }
});
