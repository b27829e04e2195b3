import type { Problem } from '../../errors.ts';

/** What may stand in a PEM text: a private key of any kind, one certificate, or one and more. */
export type PemContent = 'private key' | 'certificate' | 'certificates';

const labels: Readonly<Record<PemContent, string>> = {
  'private key': '(?:[A-Z0-9]+ )*PRIVATE KEY',
  certificate: 'CERTIFICATE',
  certificates: 'CERTIFICATE',
};

/** What is wrong with an argument that should be PEM. The text itself is never repeated. A missing one is not judged. */
export function pemProblems(field: string, value: string | undefined, content: PemContent): readonly Problem[] {
  if (value === undefined) return [];
  const header = '(?:[A-Za-z0-9-]+: [^\\n]*\\n)*';
  const block = `-----BEGIN (${labels[content]})-----\\s*\\n${header}[A-Za-z0-9+/=\\s]+-----END \\1-----\\s*`;
  const blocks = value.match(new RegExp(block, 'g')) ?? [];
  const whole = blocks.length > 0 && blocks.join('') === value.trimStart();
  if (whole && (content === 'certificates' || blocks.length === 1)) return [];
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
