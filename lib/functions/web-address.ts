/**
 * Where a web function is reached.
 *
 * @param apiHost as the context has it, with or without a scheme
 * @param name `<namespace>/<package>/<function>`
 */
export function webAddress(apiHost: string, name: string): string {
  const base = /^https?:\/\//.test(apiHost) ? apiHost : `https://${apiHost}`;
  return `${base.replace(/\/+$/, '')}/api/v1/web/${name}`;
}
