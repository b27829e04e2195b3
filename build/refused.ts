/** What people have to mend before a build can go on, such as a file of theirs, every problem with its place: told without a stack. */
export class Refused extends Error {
  constructor(problems: string, options?: ErrorOptions) {
    super(problems, options);
    this.name = 'Refused';
  }
}
