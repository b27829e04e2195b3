import type { Problem } from '../../errors.ts';

/** What may stand in a PEM text: a private key of any kind, one certificate, or one and more. */
export type PemContent = 'private key' | 'certificate' | 'certificates';

const labels: Readonly<Record<PemContent, RegExp>> = {
  'private key': /^([A-Z0-9]+ )*PRIVATE KEY$/,
  certificate: /^CERTIFICATE$/,
  certificates: /^CERTIFICATE$/,
};

/** What is wrong with an argument that should be PEM. The text itself is never repeated. A missing one is not judged. */
export function pemProblems(field: string, value: string | undefined, content: PemContent): readonly Problem[] {
  if (value === undefined) return [];
  const count = countBlocks(value.trim(), labels[content]);
  if (count > 0 && (content === 'certificates' || count === 1)) return [];
  const label = content === 'private key' ? 'PRIVATE KEY' : 'CERTIFICATE';
  const got = value.trim() === '' ? 'an empty text' : `a text of ${value.length} characters that is not`;
  return [
    {
      field,
      got,
      expected: `${content === 'certificates' ? '' : 'one '}PEM ${content}: -----BEGIN ${label}----- ... -----END ${label}-----`,
    },
  ];
}

/**
 * How many blocks of a label a text consists of; 0 for a text that is none. Words may stand before a block (RFC 7468, 5.2), and beside an EC key the parameters of its
 * curve, as OpenSSL writes them. Each part is looked at once, whatever the text holds.
 */
function countBlocks(text: string, label: RegExp): number {
  const [words = '', ...parts] = text.split('-----BEGIN ');
  if (!areWords(words)) return 0;
  const blocks = parts.map((part, index) => blockIn(part, index === parts.length - 1));
  const besideKey = blocks.includes('EC PRIVATE KEY') ? ['EC PARAMETERS'] : [];
  const counted = blocks.filter((found) => found === undefined || !besideKey.includes(found));
  return counted.every((found) => found !== undefined && label.test(found)) ? counted.length : 0;
}

/** The label of `<label>-----`, lines that may begin with headers, `-----END <label>-----`, and words of the next block; undefined for anything else. */
function blockIn(part: string, last: boolean): string | undefined {
  const label = part.slice(0, Math.max(0, part.indexOf('-----')));
  if (label === '' || label.length > 60) return undefined;
  const rest = part.slice(label.length + '-----'.length);
  const end = `-----END ${label}-----`;
  const endsAt = rest.indexOf(end);
  const behind = rest.slice(endsAt + end.length);
  if (endsAt < 0 || !/^[ \t]*\r?\n/.test(rest) || !(last ? behind.trim() === '' : areWords(behind))) return undefined;
  const lines = rest.slice(0, endsAt).trim().split('\n');
  const content = lines.filter((line) => !/^[A-Za-z0-9-]{1,60}: /.test(line)).join('');
  return content.trim() !== '' && /^[A-Za-z0-9+/=\s]*$/.test(content) ? label : undefined;
}

/** Nothing, or lines that begin or end no block. */
function areWords(text: string): boolean {
  return text === '' || (text.endsWith('\n') && !text.includes('-----'));
}
