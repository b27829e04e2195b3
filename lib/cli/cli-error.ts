/** A user's mistake, or something on the machine that the user can mend: told in a sentence, exit code 1, no stack. */
export class CliError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
  }
}
