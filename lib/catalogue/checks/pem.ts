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

/** How many blocks a text consists of; 0 for a text with anything else in it. Each part is looked at once, whatever the text holds. */
function countBlocks(text: string, label: RegExp): number {
  const parts = text.split('-----BEGIN ');
  if (parts.shift() !== '') return 0;
  return parts.every((part) => isBlock(part, label)) ? parts.length : 0;
}

/** `<label>-----`, lines that may begin with headers, `-----END <label>-----`. */
function isBlock(part: string, label: RegExp): boolean {
  const named = part.slice(0, Math.max(0, part.indexOf('-----')));
  if (named.length > 60 || !label.test(named)) return false;
  const end = `-----END ${named}-----`;
  const rest = part.slice(named.length + '-----'.length).trimEnd();
  if (!rest.endsWith(end) || !/^[ \t]*\r?\n/.test(rest)) return false;
  const lines = rest.slice(0, -end.length).trim().split('\n');
  const content = lines.filter((line) => !/^[A-Za-z0-9-]{1,60}: /.test(line)).join('');
  return content.trim() !== '' && /^[A-Za-z0-9+/=\s]*$/.test(content);
}
