const own = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Which names a request may call the host by. A page on another site can make a browser call 127.0.0.1 under a name of its own; such a
 * name is not among these.
 */
export function servedHosts(allowed: readonly string[], publicUrl: string | undefined): ReadonlySet<string> {
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  return new Set([...own, ...allowed, ...named].map((name) => name.toLowerCase()));
}

/** The name in a `Host` header, without its port; undefined for a missing or malformed header. */
export function hostName(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d+)?$/i.exec(header)?.[1]?.toLowerCase();
}
