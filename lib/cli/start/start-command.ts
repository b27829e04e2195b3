import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { typed } from '../typed.ts';
import type { StartOptions } from './start-options.ts';

/** `deckhand start`, which is `npm start`. */
export function startCommand(): Command {
  return new Command('start')
    .description('Start emulator and functions host on 127.0.0.1, with the tools deployed, and print how to use them.')
    .addOption(new Option('--port <port>', 'port of the functions host; 0 takes any free one').default(3233).argParser(readPort))
    .addOption(new Option('--platform-port <port>', 'port of the emulator; 0 takes any free one').default(3232).argParser(readPort))
    .addOption(new Option('--data <dir>', 'where everything is kept').default('.deckhand'))
    .addOption(new Option('--ephemeral', 'keep nothing: start afresh and leave nothing behind').default(false))
    .addOption(
      new Option('--speed <factor>', 'actions take that part of their real time; 0 completes them at once')
        .default(10)
        .argParser(readSpeed),
    )
    .addOption(new Option('--offline', 'send no probes: uptime checks stay as they are').default(false))
    .addOption(new Option('--allow-host <name>', 'also serve requests for this host name; may be repeated').default([]).argParser(collect))
    .addOption(new Option('--public-url <url>', 'the address under which a tunnel makes the host reachable').argParser(readUrl))
    .addOption(
      new Option(
        '--platform-url <url>',
        'use a real account there, with the token in PLATFORM_API_TOKEN, in place of the emulator',
      ).argParser(readUrl),
    )
    .addOption(new Option('--json', 'print one line of JSON when ready, and nothing more').default(false))
    .addOption(new Option('--while-used', 'end with the last client of `deckhand mcp`, which starts it so').default(false).hideHelp())
    .exitOverride()
    .showHelpAfterError(`(${typed('deckhand start --help')} tells what there is)`)
    .action(async (options: Omit<StartOptions, 'platformToken'>) => {
      const platformToken = process.env.PLATFORM_API_TOKEN || undefined;
      if (options.platformUrl !== undefined && platformToken === undefined) {
        throw new CliError(`--platform-url ${options.platformUrl} needs the account's token: set PLATFORM_API_TOKEN in the environment`);
      }
      // Emulator and host are loaded by the start alone.
      const { runStart } = await import('./run-start.ts');
      await runStart({ ...options, platformToken });
    });
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is an integer from 0 to 65535.');
}

function readSpeed(text: string): number {
  const speed = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && Number.isFinite(speed)) return speed;
  throw new InvalidArgumentError('A speed is a number from 0; 1 is real time, 10 ten times as fast.');
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('An address begins with http:// or https://.');
}

function collect(text: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, text];
}
