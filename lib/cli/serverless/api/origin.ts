import { CliError } from '../../cli-error.ts';

/** The origin of an address as people write it; `https://` is assumed where the scheme is missing, `http://` for this machine. */
export function originOf(address: string): string {
  const local = /^(localhost|127\.|\[::1\])/.test(address);
  const url = address.includes('://') ? address : `${local ? 'http' : 'https'}://${address}`;
  if (URL.canParse(url)) return new URL(url).origin;
  throw new CliError(`"${address}" is no address: write it as https://host`);
}
