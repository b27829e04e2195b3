import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { methodOf, pathOf } from '../../lib/catalogue/tool.ts';
import { type PlatformRequest, toRequest } from '../../lib/client/request.ts';
import { ToolError } from '../../lib/errors.ts';
import { everyTool, argumentsOf as readArgumentsOf } from '../support/call-of.ts';
import { argumentsOf } from './arguments-of.ts';
import { holds } from './holds.ts';

const casesOfEach = 450;

describe('whatever the arguments are, a call comes to a request of its declared method and path, or to what is wrong with them', () => {
  const routed = everyTool.toolsets.flatMap(({ tools }) => tools).flatMap((tool) => (tool.run ? [] : [tool]));

  it.each(routed.map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    const declared = declaredPath(pathOf(tool.route));
    const property = fc.property(argumentsOf(everyTool.schemaOf(name)), (given) => {
      const request = requestOrProblem(() => toRequest(tool, readArgumentsOf(name, given)));
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      if (!request) return;
      const [path = ''] = request.path.split('?');
      expect(request.method).toBe(methodOf(tool.route));
      expect(path).toMatch(declared);
      // What a server makes of it is the same path: nothing in it climbs or ends it.
      expect(new URL(request.path, 'http://platform.example').pathname).toBe(path);
      expect(() => JSON.stringify(request.body)).not.toThrow();
    });
    await holds('arguments of a tool', casesOfEach, property);
  });
});

/** The path with any one segment in the place of each argument. */
function declaredPath(template: string): RegExp {
  return new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/?#]+')}$`);
}

function requestOrProblem(made: () => PlatformRequest): PlatformRequest | undefined {
  try {
    return made();
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure;
    expect(failure.code).toBe('invalid_arguments');
    expect(failure.message).not.toBe('');
    return undefined;
  }
}
