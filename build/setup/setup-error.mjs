/** What stands between the machine and a start, told in a sentence that says what to do. */
export class SetupError extends Error {}
