import { styleText } from 'node:util';

/** Prints a line of the result. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the result as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Tells of progress or of what is worth knowing, apart from the result. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Text that stands out in the result, on a terminal that shows colours and with no NO_COLOR. */
export function emphasized(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

/** Text that stands back in the result. */
export function muted(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}
