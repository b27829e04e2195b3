/** Addresses as people write them. */

export function isIpv4(text: string): boolean {
  return (
    /^(\d{1,3})(\.\d{1,3}){3}$/.test(text) && text.split('.').every((octet) => Number(octet) <= 255 && String(Number(octet)) === octet)
  );
}

/** An IPv6 address in its shortest form, in lower case; undefined when it is none. Source: RFC 5952, as URLs have it. */
export function canonicalIpv6(text: string): string | undefined {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : undefined;
}

/** An address or a network in CIDR notation, IPv4 as it is and IPv6 in its shortest form; undefined when it is neither. */
export function canonicalAddress(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const canonical = isIpv4(address) ? address : canonicalIpv6(address);
  const bits = canonical === address && isIpv4(address) ? 32 : 128;
  if (canonical === undefined || rest.length > 0) {
    return undefined;
  }
  if (prefix === undefined) {
    return canonical;
  }
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits ? `${canonical}/${prefix}` : undefined;
}
