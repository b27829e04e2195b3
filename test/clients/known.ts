/** Something that is as it should not be, and why it is let be. */
export interface Known {
  readonly what: RegExp;
  readonly why: string;
}

/** What no known reason explains, and the reasons that explain nothing: both are to be empty. */
export function explained(
  found: Iterable<string>,
  known: readonly Known[],
): { readonly unexplained: readonly string[]; readonly idle: readonly string[] } {
  const all = [...found];
  return {
    unexplained: all.filter((each) => !known.some(({ what }) => what.test(each))),
    idle: known.filter(({ what }) => !all.some((each) => what.test(each))).map(({ what }) => String(what)),
  };
}

/** What the document has against replies, whoever asks: they are right, and it can not say so. */
export const disputed: readonly Known[] = [
  {
    what: /^POST \/v2\/certificates: certificate\.not_after is missing$/,
    why: 'a certificate that is ordered has no end yet; null would fail the schema',
  },
];
