import type { ProjectFunction } from '../project.ts';

/**
 * Something about a project that will fail on the real platform (`error`) or surprise there (`warning`), or that could not be looked at
 * (`note`). `function` is null for what concerns the project; `file` is relative to it.
 */
export interface Finding {
  readonly function: string | null;
  readonly file: string;
  readonly line: number | null;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly fix: string;
}

/** A file of a function as it would be deployed. */
export interface InspectedFile {
  /** Its name inside the function. */
  readonly name: string;
  readonly bytes: number;
  /** Its text where it is code or package.json and not very large, else null. */
  readonly text: string | null;
}

/** A function with what would be deployed of it today: nothing of a directory whose build has not been run. */
export interface Inspected {
  readonly entry: ProjectFunction;
  /** Relative to the project. */
  readonly path: string;
  readonly files: readonly InspectedFile[];
  /** More than one file: it travels as a zip, and the kind starts it from there. */
  readonly isZip: boolean;
  /** The file that holds the handler, where it is among the files. */
  readonly mainFile: InspectedFile | null;
  /** Names that collecting left out and a reader would expect. */
  readonly surprising: readonly string[];
}

/** What one rule sees in a function, before it is told where. */
export interface Remark extends Pick<Finding, 'severity' | 'message' | 'fix'> {
  /** Name of the file inside the function; the function itself where it is missing. */
  readonly file?: string;
  readonly line?: number | null;
}

export type InspectionRule = (inspected: Inspected) => readonly Remark[];
