import { Command, Option } from 'commander';
import { type Column, table } from '../serverless/output/table.ts';
import { typed } from '../typed.ts';
import { type HookState, type HooksPlace, hooksClient, type ShownDelivery } from './hooks-client.ts';
import { type SendOptions, sendDelivery } from './send-delivery.ts';

/** `deckhand hooks`: the webhooks of an installation, what they received, and deliveries to try them with. */
export function hooksCommand(): Command {
  const command = new Command('hooks')
    .description('Look at the webhooks of an installation, carry deliveries out again, and try hooks with signed ones.')
    .exitOverride()
    .showHelpAfterError(`(${typed('deckhand hooks --help')} tells what there is)`);
  at(command.command('list').description('List the hooks, and what those that are not ready lack.')).action(async (place: HooksPlace) => {
    // Safe: this is what the function says of its hooks.
    const hooks = (await (await hooksClient(place)).list('/health', 'hooks')) as readonly HookState[];
    print(table(hooks, hookColumns));
  });
  at(command.command('deliveries <name>').description('List the last deliveries of a hook, newest first.')).action(
    async (name: string, place: HooksPlace) => {
      const client = await hooksClient(place);
      // Safe: this is what the function lists.
      const deliveries = (await client.list(`/${encodeURIComponent(name)}/deliveries`, 'deliveries')) as readonly ShownDelivery[];
      print(table(deliveries, deliveryColumns));
    },
  );
  at(command.command('replay <id>').description('Carry the last delivery of this id out again.')).action(
    async (id: string, place: HooksPlace) => {
      print([(await (await hooksClient(place)).post(`/deliveries/${encodeURIComponent(id)}`)).text]);
    },
  );
  at(command.command('send <name>').description('Sign a delivery as the sender of a hook would, and post it.'))
    .option('--fixture <name>', 'one that is shipped, such as github/workflow_run')
    .option('--file <file>', 'a body of your own')
    .option('--dry-run', 'show what would be called, and call nothing', false)
    .option('--settings <file>', 'the file that has the secret where the environment has not', 'settings.env')
    .action(async (name: string, options: SendOptions & HooksPlace) => {
      print([await sendDelivery(name, options, await hooksClient(options))]);
    });
  return command;
}

const hookColumns: readonly Column<HookState>[] = [
  { key: 'name', heading: 'HOOK', value: ({ name }) => name },
  { key: 'state', heading: 'STATE', value: ({ ready, missing }) => (ready ? 'ready' : missing.join(', ')) },
  { key: 'dedupe', heading: 'SENT TWICE IS TOLD', value: ({ dedupe }) => dedupe },
];

const deliveryColumns: readonly Column<ShownDelivery>[] = [
  { key: 'at', heading: 'AT', value: ({ at: time }) => time },
  { key: 'id', heading: 'ID', value: ({ id }) => id },
  { key: 'status', heading: 'STATUS', value: ({ status, replay }) => (replay ? `${status} (replay)` : status) },
  { key: 'calls', heading: 'CALLS', value: ({ calls }) => calls.map(({ tool, code }) => `${tool} ${code ?? 'ok'}`).join(', ') },
  { key: 'reason', heading: 'WHY', value: ({ reason, calls }) => reason ?? calls.find(({ isError }) => isError)?.message ?? '' },
];

function at(command: Command): Command {
  return command
    .addOption(new Option('--data <dir>', 'the data directory of the installation that runs').default('.deckhand'))
    .option('--url <url>', 'the address of the function gateway/hooks, for one that runs elsewhere')
    .option('--token <token>', "the bearer of the hooks' caller; also DECKHAND_TOKEN");
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
