/** Made while bundling, of the function's own `tools.ts`. */
declare module 'virtual:tool-listing' {
  /** What `renderListing` says of it. */
  export const listing: string;
  /** What `renderSearchIndex` says of it. */
  export const searchIndex: string;
}
