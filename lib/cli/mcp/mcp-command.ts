import { Command, InvalidArgumentError, Option } from 'commander';
import { typed } from '../typed.ts';
import type { McpOptions } from './run-mcp.ts';

/** `deckhand mcp`: the tools for clients that start their server as a program. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Serve the tools over stdin and stdout, for clients of MCP that cannot do HTTP. Uses the installation that runs on the data directory; where none does, starts one, shared by all clients and ended after the last.',
    )
    .option('--toolsets <names>', 'only these toolsets, such as dns,traffic')
    .option('--tools <patterns>', 'only these tools, such as "firewall-*,!*-delete"')
    .option('--read-only', 'nothing that changes anything', false)
    .option('--discover', 'three tools that find and call all others, in place of the whole list', false)
    .addOption(new Option('--data <dir>', 'the data directory').default('.deckhand'))
    .addOption(
      new Option('--url <address>', 'the router of a deployed installation, called with the token in DECKHAND_TOKEN').argParser(
        readAddress,
      ),
    )
    .exitOverride()
    .showHelpAfterError(`(${typed('deckhand mcp --help')} tells what there is)`)
    .addHelpText(
      'after',
      '\nExample:\n  claude mcp add deckhand -- npx --prefix <where deckhand is> deckhand mcp --data <its .deckhand> --toolsets dns',
    )
    .action(async (options: McpOptions) => {
      const { runMcp } = await import('./run-mcp.ts');
      await runMcp(options, process.env.DECKHAND_TOKEN || undefined);
    });
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && !url.search && !url.hash) return text;
  throw new InvalidArgumentError('An address begins with http:// or https:// and has no query; what is selected, the options say.');
}
