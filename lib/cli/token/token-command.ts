import { Command, Option } from 'commander';
import { typed } from '../typed.ts';
import { addToken, type TokenOptions } from './add-token.ts';
import { currentSetting } from './current-setting.ts';
import { describeTokens } from './describe-tokens.ts';

/** `deckhand token`: who may call an installation that has an account of its own. */
export function tokenCommand(): Command {
  const command = new Command('token')
    .description('Make and list the access tokens of an installation (the setting ACCESS_TOKENS).')
    .exitOverride()
    .showHelpAfterError(`(${typed('deckhand token --help')} tells what there is)`);
  command
    .command('add <name>')
    .description('Make a token for a caller. Prints the token, which is kept nowhere, and the setting that lets it in.')
    .option('--toolsets <names>', 'only these toolsets, such as dns,traffic')
    .option('--tools <patterns>', 'only these tools, such as "firewall-*,!*-delete"')
    .option('--read-only', 'nothing that changes anything', false)
    .option('--rate <calls/unit>', 'so many calls per s, m or h, such as 60/m')
    .addOption(settingsOption())
    .action((name: string, options: TokenOptions & Place) => {
      const { token, setting } = addToken(name, options, currentSetting(options.settings));
      process.stderr.write('The token, shown this once, and the setting for settings.env:\n');
      process.stdout.write(`${token}\nACCESS_TOKENS=${setting}\n`);
    });
  command
    .command('list')
    .description('List who may call, and what each of them may do. Tokens are kept nowhere, so none is shown.')
    .addOption(settingsOption())
    .action(({ settings }: Place) => {
      process.stdout.write(describeTokens(currentSetting(settings)));
    });
  return command;
}

interface Place {
  readonly settings: string;
}

function settingsOption(): Option {
  return new Option('--settings <file>', 'the file that has ACCESS_TOKENS where the environment has not').default('settings.env');
}
