/** Made while bundling: what `compileHooks` makes of the project's hooks.yml. */
declare module 'virtual:hooks' {
  export const hooks: readonly import('../lib/webhooks/hook.ts').Hook[];
}
/** Made while bundling: the source of the engine for the expressions of hooks. */
declare module 'virtual:hooks-engine' {
  export const engine: string;
}
