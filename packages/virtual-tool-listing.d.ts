/** Made while bundling: what `renderListing` says of the function's own `tools.ts`. */
declare module 'virtual:tool-listing' {
  export const listing: string;
}
