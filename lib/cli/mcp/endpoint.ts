/** Where messages are sent, and the bearer that goes with them. */
export interface Endpoint {
  /** The address of MCP, with what was selected. */
  readonly url: string;
  readonly token: string;
}

/** Which tools a client is to see. */
export interface Wishes {
  readonly toolsets?: string;
  readonly tools?: string;
  readonly readOnly: boolean;
  readonly discover: boolean;
}

/** The address at a router under which a client finds what it wishes for. */
export function mcpAddress(router: string, { toolsets, tools, readOnly, discover }: Wishes): string {
  const base = router.replace(/\/+$/, '').replace(/\/mcp$/, '');
  const url = new URL(`${base}/mcp${discover ? '/discover' : ''}`);
  if (toolsets !== undefined) url.searchParams.set('toolsets', toolsets);
  if (tools !== undefined) url.searchParams.set('tools', tools);
  if (readOnly) url.searchParams.set('readonly', 'true');
  return url.href;
}
