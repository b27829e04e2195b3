/** A place in the code that an instance runs, as a stack trace names it. Lines and columns count from 1. */
export interface CodePlace {
  /** Name of the file inside the zip; null for the code of a single file. */
  readonly file: string | null;
  readonly line: number;
  /** Where the trace names one. */
  readonly column: number | undefined;
}

/** The directory that `CodeDirectories` runs functions from, by the start of its name. */
export const codeDirectoryPrefix = 'deckhand-functions-';

const place = new RegExp(
  String.raw`(?:file://)?/[^\s():]*/${codeDirectoryPrefix}[0-9a-f]+/(?:provided|bare)/` +
    String.raw`(?:[0-9a-f]{64}/index\.m?js|copies/[0-9a-f]{64}-\d+/([^\s():]+)):(\d+)(?::(\d+))?`,
  'g',
);

/** Puts another text for every place in the running code that a text names; where `replace` has none, it stays. */
export function replaceCodePlaces(text: string, replace: (place: CodePlace) => string | null): string {
  return text.replace(place, (whole, file: string | undefined, line: string, column: string | undefined) => {
    return replace({ file: file ?? null, line: Number(line), column: column === undefined ? undefined : Number(column) }) ?? whole;
  });
}
