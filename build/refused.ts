/** What a build does not take of a file that people write, every problem with its place: theirs to mend, and told without a stack. */
export class Refused extends Error {
  constructor(problems: string, options?: ErrorOptions) {
    super(problems, options);
    this.name = 'Refused';
  }
}
