/** Made while bundling: what `compileHooks` makes of the project's hooks.yml, and the source of the engine for its expressions. */
declare module 'virtual:hooks' {
  export const hooks: readonly import('../lib/webhooks/hook.ts').Hook[];
  export const engine: string;
}
