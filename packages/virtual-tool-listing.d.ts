/** Made while bundling, of the function's own `tools.ts`. */
declare module 'virtual:tool-listing' {
  /** What `renderListing` says of it. */
  export const listing: string;
}
declare module 'virtual:search-index' {
  /** What `renderSearchIndex` says of it. */
  export const searchIndex: string;
}
