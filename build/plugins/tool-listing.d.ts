/** The tools of the function being bundled, as MCP lists them: a JSON array, one tool a line. Exists in bundles only. */
declare module 'virtual:tool-listing' {
  export const listing: string;
}
