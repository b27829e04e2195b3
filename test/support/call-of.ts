import { catalogue } from '../../lib/catalogue/catalogue.ts';
import { renderListing } from '../../lib/catalogue/listing.ts';
import { readArguments } from '../../lib/catalogue/read-arguments.ts';
import { type Arguments, pathArguments } from '../../lib/catalogue/tool.ts';
import { type PlatformRequest, toRequest } from '../../lib/client/request.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';
import { type Answered, gateway } from './gateway.ts';
import { json, scriptedPlatform } from './platform.ts';

/** Every tool, as the router serves it. */
export const everyTool = catalogue(toolsets, renderListing(toolsets));

/** A call's arguments as the tool reads them. */
export function argumentsOf(name: string, given: unknown): Arguments {
  const tool = everyTool.tool(name);
  return readArguments(tool.name, everyTool.schemaOf(tool.name), given, { path: pathArguments(tool), rules: tool });
}

/** The request that a call of a tool comes down to. */
export function callOf(name: string, given: unknown): PlatformRequest {
  const tool = everyTool.tool(name);
  if (tool.run) throw new Error(`${name} makes several requests: see callsOf`);
  return toRequest(tool, argumentsOf(name, given));
}

/**
 * The requests that a call makes of a platform which answers with these bodies in turn (undefined: nothing, with 204), and what the call is answered.
 * It goes the whole way, in at the gateway's door and out over HTTP.
 */
export async function callsOf(name: string, given: unknown, replies: readonly unknown[]): Promise<{ calls: object[]; answer: Answered }> {
  const platform = await scriptedPlatform((response, _, attempt) => {
    if (attempt > replies.length) return json(response, 500, { id: 'server_error', message: `nothing is scripted for request ${attempt}` });
    const reply = replies[attempt - 1];
    return reply === undefined ? response.writeHead(204).end() : json(response, 200, reply);
  });
  const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/${name}`, { body: given });
  const calls = platform.arrived.map(({ method, url, body }) => ({ method, path: url, ...(body !== '' && { body: JSON.parse(body) }) }));
  return { calls, answer };
}
