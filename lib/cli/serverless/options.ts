import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { typed } from '../typed.ts';

/** Which namespace a command works on. */
export interface TargetOptions {
  readonly apihost?: string;
  readonly auth?: string;
  /** Use what `connect` stored, also where a local host is nearer. */
  readonly connected?: boolean;
}

/** Which account a command works on. */
export interface AccountOptions extends TargetOptions {
  readonly accessToken?: string;
  readonly apiUrl?: string;
}

/** How a result is printed. */
export interface OutputOptions {
  readonly output: 'json' | 'text';
}

/** How a list is printed: as text, the columns by their keys, and whether with a heading. */
export interface ListOptions extends OutputOptions {
  readonly format?: string;
  readonly header: boolean;
}

/** A verb, with what every verb has: `-o`, `--json`, `--help` with an example, and the way errors are told. */
export function verb(declaration: string, summary: string, example: string): Command {
  const [name = '', ...parts] = declaration.split(' ');
  const command = new Command(name)
    .description(summary)
    .addOption(new Option('-o, --output <format>', 'how the result is printed').choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }))
    .addHelpText('after', () => `\nExample:\n  ${typed(`serverless ${example}`)}`)
    .exitOverride()
    .showHelpAfterError('(add --help for what there is)');
  for (const part of parts) command.addArgument(new Argument(part));
  return command;
}

/** A group of verbs. */
export function group(name: string, aliases: readonly string[], summary: string, verbs: readonly Command[]): Command {
  const command = new Command(name).aliases(aliases).description(summary).exitOverride();
  for (const each of verbs) command.addCommand(each);
  return command.showHelpAfterError('(add --help for what there is)');
}

/** Adds the options that say which namespace is meant. */
export function withTarget(command: Command): Command {
  return command
    .option('--apihost <address>', 'API host to use, with --auth')
    .option('--auth <key>', 'key of the namespace to use, as uuid:key, with --apihost')
    .option('--connected', 'use the namespace that serverless connect stored, not a host of this machine');
}

/** Adds the options that say which account is meant. */
export function withAccount(command: Command): Command {
  return withTarget(command)
    .option('-t, --access-token <token>', 'token of the account, otherwise DIGITALOCEAN_ACCESS_TOKEN or that of the host of this machine')
    .option('-u, --api-url <url>', "address of the platform's API, where it is not that of the namespace's host");
}

/** Adds the options of a list. */
export function withColumns(command: Command): Command {
  return command.option('--format <columns>', 'the columns to show, separated by commas').option('--no-header', 'leave the heading out');
}

/** Reads a number of items: a whole number from 0 on. */
export function readCount(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 0 on.');
}

/** Reads a port to listen on. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('A port is an integer from 0 to 65535.');
}

/** Collects names that are given with commas, or by repeating the option. */
export function readNames(text: string, earlier: readonly string[] | undefined): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...(earlier ?? []), ...names.filter((name) => name !== '')];
}

/** Collects what is given with commas, or by repeating the option, as it is. */
export function readParts(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), ...text.split(',')];
}
