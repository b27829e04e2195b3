import type { Command } from 'commander';
import { group, type OutputOptions, verb, withAccount, withColumns } from '../options.ts';
import type { ConnectOptions } from './connect.ts';
import type { CreateKeyOptions, DeleteKeyOptions } from './keys.ts';
import type { CreateNamespaceOptions, DeleteNamespaceOptions } from './namespaces.ts';
import type { StatusOptions } from './status.ts';
import type { ListTriggersOptions } from './triggers.ts';

/** `serverless namespaces ...`: the namespaces of an account. */
export function namespacesCommands(): Command {
  return group('namespaces', ['namespace', 'ns'], 'Manage your functions namespaces', [
    withAccount(verb('create', 'Create a namespace, and connect to it', 'namespaces create --label staging --region nyc'))
      .requiredOption('-l, --label <label>', 'its label')
      .requiredOption('-r, --region <region>', 'where it is; namespaces list-regions tells which there are')
      .option('-n, --no-connect', 'do not connect to it')
      .action(async (options: CreateNamespaceOptions) => (await import('./namespaces.ts')).createNamespace(options)),
    withAccount(
      verb('delete <namespace>', 'Delete a namespace with all that is in it, by its id or label', 'namespaces delete staging --force'),
    )
      .alias('rm')
      .option('-f, --force', 'do not ask')
      .action(async (name: string, options: DeleteNamespaceOptions) => (await import('./namespaces.ts')).deleteNamespace(name, options)),
    withColumns(withAccount(verb('list', 'List your namespaces', 'namespaces list')))
      .alias('ls')
      .action(async (options) => (await import('./namespaces.ts')).listNamespaces(options)),
    withAccount(verb('get <namespace>', 'Show a namespace, by its id or label', 'namespaces get staging')).action(
      async (name: string, options) => (await import('./namespaces.ts')).getNamespace(name, options),
    ),
    verb('list-regions', 'List the regions', 'namespaces list-regions').action(async (options) =>
      (await import('./namespaces.ts')).listRegions(options),
    ),
  ]);
}

/** What concerns the namespace one works in: its triggers, its keys, and which one that is. */
export function namespaceCommands(): readonly Command[] {
  return [triggers(), keys(), connect(), status(), ...nothingToDo()];
}

function triggers(): Command {
  const example = 'nightly';
  return group('triggers', ['trigger', 'trig'], 'Manage the triggers of your functions', [
    withColumns(withAccount(verb('list', 'List the triggers', 'triggers list --function sample/hello')))
      .alias('ls')
      .option('-f, --function <name>', 'only those of this function')
      .action(async (options: ListTriggersOptions) => (await import('./triggers.ts')).listTriggers(options)),
    withColumns(withAccount(verb('get <trigger>', 'Show a trigger', `triggers get ${example}`))).action(async (name: string, options) =>
      (await import('./triggers.ts')).getTrigger(name, options),
    ),
    withColumns(withAccount(verb('enable <trigger>', 'Enable a trigger', `triggers enable ${example}`))).action(
      async (name: string, options) => (await import('./triggers.ts')).switchTrigger(name, true, options),
    ),
    withColumns(withAccount(verb('disable <trigger>', 'Disable a trigger', `triggers disable ${example}`))).action(
      async (name: string, options) => (await import('./triggers.ts')).switchTrigger(name, false, options),
    ),
    withAccount(verb('fire <trigger>', 'Run what a trigger runs, now; on hosts of Deckhand', `triggers fire ${example}`)).action(
      async (name: string, options) => (await import('./triggers.ts')).fireTrigger(name, options),
    ),
  ]);
}

function keys(): Command {
  const withNamespace = (command: Command): Command =>
    withAccount(command).option('--namespace <namespace>', 'another namespace than the one you work in, by its id or label');
  return group('key', ['keys'], 'Manage the access keys of your namespaces', [
    withColumns(withNamespace(verb('create', 'Create an access key; its secret is told once', 'key create --name laptop --expiration 7d')))
      .requiredOption('-n, --name <name>', 'its name')
      .requiredOption('-e, --expiration <period>', 'how long it is good: hours or days, such as 12h or 7d, or never')
      .action(async (options: CreateKeyOptions) => (await import('./keys.ts')).createKey(options)),
    withColumns(withNamespace(verb('list', 'List the access keys', 'key list')))
      .alias('ls')
      .action(async (options) => (await import('./keys.ts')).listKeys(options)),
    withNamespace(verb('delete <id>', 'Delete an access key', 'key delete dof_v1_0123 --force'))
      .alias('rm')
      .option('-f, --force', 'do not ask')
      .action(async (id: string, options: DeleteKeyOptions) => (await import('./keys.ts')).deleteKey(id, options)),
  ]);
}

function connect(): Command {
  const example = 'connect --apihost https://functions.example --auth uuid:key';
  return withAccount(verb('connect [namespace]', 'Choose the namespace to work in, by part of its id or label, or by its key', example))
    .option('--access-key <key>', 'access key to connect with, in place of the key of the namespace')
    .action(async (hint: string | undefined, options: ConnectOptions) => (await import('./connect.ts')).connect(hint, options));
}

function status(): Command {
  return withAccount(verb('status', 'Tell which namespace one works in', 'status --languages'))
    .option('-l, --languages', 'tell what the host runs')
    .option('-V, --version', 'tell only the version of this command line')
    .option('--credentials', 'print the key too, as JSON')
    .action(async (options: StatusOptions) => (await import('./status.ts')).status(options));
}

/** The platform's command line installs parts of itself; here nothing is missing. */
function nothingToDo(): readonly Command[] {
  const say =
    (message: string) =>
    async ({ output }: OutputOptions): Promise<void> => {
      const { printJson, printLine } = await import('../output/print.ts');
      if (output === 'json') printJson({ message });
      else printLine(message);
    };
  return [
    verb('install', 'There is nothing to install', 'install').action(say('Everything is installed already. No action needed.')),
    verb('upgrade', 'There is nothing to upgrade', 'upgrade').action(say('It is upgraded with its package. No action needed.')),
    verb('uninstall', 'There is nothing to uninstall', 'uninstall').action(
      say('Nothing was installed beside its package. No action needed.'),
    ),
  ];
}
