const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a Host header names this machine or an allowed host, whatever the port. Anything else may be a page whose name was
 * pointed at this machine to read the account.
 */
export function hostCheck(allowedHosts: readonly string[]): (host: string | undefined) => boolean {
  const allowed = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())]);
  const known = new Map<string, boolean>();
  return (host) => {
    if (host === undefined) {
      return false;
    }
    const answer = known.get(host) ?? (allowed.has(host.toLowerCase()) || allowed.has(host.toLowerCase().replace(/:\d*$/, '')));
    if (known.size < MAX_REMEMBERED) {
      known.set(host, answer);
    }
    return answer;
  };
}

/** The host in the Origin that a browser sent: `localhost:3000` of `http://localhost:3000`. */
export function originHost(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//i, '');
}

const MAX_REMEMBERED = 1000;
