import { catalogue } from '../../lib/catalogue/catalogue.ts';
import { renderListing } from '../../lib/catalogue/listing.ts';
import { readArguments } from '../../lib/catalogue/read-arguments.ts';
import { pathArguments } from '../../lib/catalogue/tool.ts';
import { type PlatformRequest, toRequest } from '../../lib/client/request.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';

/** Every tool, as the router serves it. */
export const everyTool = catalogue(toolsets, renderListing(toolsets));

/** The request that a call of a tool comes down to. */
export function callOf(name: string, given: unknown): PlatformRequest {
  const tool = everyTool.tool(name);
  return toRequest(tool, readArguments(name, everyTool.schemaOf(name), given, { path: pathArguments(tool) }));
}
