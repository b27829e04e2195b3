/**
 * What went wrong, for callers that act on it: the project is wrong; it asks for what is not done here; a build failed; the host did not
 * answer, or refused.
 */
export type DeployErrorCode =
  | 'invalid_project'
  | 'unsupported'
  | 'build_failed'
  | 'unreachable'
  | 'unauthenticated'
  | 'rejected'
  | 'too_large';

/**
 * One thing wrong in a project: the file as the reader knows it (relative to the project), the line from 1 where there is one, what was
 * wrong and what is allowed.
 */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
}

/** A failure that the person who deploys can fix. The message says what, why and how, and lists every problem on a line of its own. */
export class DeployError extends Error {
  readonly code: DeployErrorCode;
  readonly problems: readonly Problem[];

  constructor(code: DeployErrorCode, message: string, options: { readonly problems?: readonly Problem[]; readonly cause?: unknown } = {}) {
    const problems = options.problems ?? [];
    super([message, ...problems.map(problemLine)].join('\n'), { cause: options.cause });
    this.name = 'DeployError';
    this.code = code;
    this.problems = problems;
  }
}

/** Where a problem is and what it is, on one line: `project.yml:12: ...`. */
export function problemLine(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return `  ${place}: ${problem.message}`;
}
