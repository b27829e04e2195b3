/** Everything that is wrong with hooks.yml, one line each, as `hooks.yml:12:5: what`. */
export class HooksFileError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'HooksFileError';
  }
}
