const MAX_LENGTH = 253;

/** A domain that can be registered or delegated: two labels or more, the last one not numeric. Source: RFC 1035, RFC 3696. */
export function isDomainName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= MAX_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    /[a-z]/i.test(labels.at(-1) ?? '')
  );
}

/** A name inside a zone: labels that may have underscores, the first of which may be a wildcard. */
export function isRecordName(name: string): boolean {
  return name.length <= MAX_LENGTH && /^(\*|[\w-]{1,63})(\.[\w-]{1,63})*$/.test(name);
}

/** The full name, without a dot at its end, of a name inside a zone; `@` is the zone itself. */
export function fullName(zone: string, name: string): string {
  return name === '@' ? zone : `${name}.${zone}`;
}

/** The zones that a full name may lie in, the longest first: itself and every parent of two labels or more. */
export function zonesOf(full: string): readonly string[] {
  const labels = full.toLowerCase().split('.');
  return labels.slice(0, -1).map((_label, skip) => labels.slice(skip).join('.'));
}

/** A full name as it is shown inside a zone: `@`, the part before the zone, or as it is when it lies elsewhere. */
export function nameInside(zone: string, full: string): string {
  if (full === zone) {
    return '@';
  }
  return full.endsWith(`.${zone}`) ? full.slice(0, -zone.length - 1) : full;
}
