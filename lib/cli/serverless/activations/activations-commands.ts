import type { Command } from 'commander';
import { group, readCount, verb, withColumns, withTarget } from '../options.ts';
import type { GetActivationOptions } from './get-activation.ts';
import type { ListActivationsOptions } from './list-activations.ts';
import type { LogsOptions } from './show-logs.ts';
import type { ResultOptions } from './show-results.ts';

/** `serverless activations ...`: what ran. Each verb loads what it needs when it runs. */
export function activationsCommands(): Command {
  return group('activations', ['activation', 'actv'], 'Show what ran: records, logs and results', [list(), get(), logs(), result()]);
}

function list(): Command {
  return withColumns(withTarget(verb('list [function]', 'List activations, the newest first', 'activations list sample/hello --limit 5')))
    .alias('ls')
    .option('--function <name>', 'only those of this function')
    .option('-l, --limit <number>', 'the most to list, up to 200', readCount, 30)
    .option('-s, --skip <number>', 'leave out that many of the newest', readCount)
    .option('--since <ms>', 'only those that began since, in milliseconds since the epoch', readCount)
    .option('--upto <ms>', 'only those that began until then', readCount)
    .option('--count', 'tell only how many there are')
    .option('-f, --full', 'print the whole records')
    .action(async (name: string | undefined, options: ListActivationsOptions) => {
      const { listActivations } = await import('./list-activations.ts');
      await listActivations(name, options);
    });
}

function get(): Command {
  return withTarget(verb('get [id]', 'Show an activation: the last one, or by its id', 'activations get --function sample/hello --logs'))
    .option('-l, --last', 'the last one, as without an id')
    .option('-s, --skip <number>', 'leave out that many of the newest', readCount)
    .option('-f, --function <name>', 'the last one of this function')
    .option('-g, --logs', 'print its logs alone')
    .option('-r, --result', 'print its result alone')
    .option('-q, --quiet', 'leave out the line that says which one it is')
    .action(async (id: string | undefined, options: GetActivationOptions) => {
      const { getActivation } = await import('./get-activation.ts');
      await getActivation(id, options);
    });
}

function logs(): Command {
  return withTarget(verb('logs [id]', 'Show what functions printed, or follow it', 'activations logs --follow --function sample/hello'))
    .option('-f, --function <name>', 'only those of this function')
    .option('-p, --package <name>', 'only those of this package')
    .option('-l, --last', 'of the last activation, as without this')
    .option('-n, --limit <number>', 'of that many activations, up to 200', readCount, 1)
    .option('-s, --skip <number>', 'leave out that many of the newest', readCount)
    .option('-r, --strip', 'leave out the times and which stream it was')
    .option('--follow', 'go on until interrupted, printing what comes')
    .action(async (id: string | undefined, options: LogsOptions) => {
      const { showLogs } = await import('./show-logs.ts');
      await showLogs(id, options);
    });
}

function result(): Command {
  return withTarget(verb('result [id]', 'Show what functions returned', 'activations result --function sample/hello'))
    .option('-l, --last', 'of the last activation, as without this')
    .option('-n, --limit <number>', 'of that many activations, up to 200', readCount, 1)
    .option('-s, --skip <number>', 'leave out that many of the newest', readCount)
    .option('-f, --function <name>', 'only those of this function')
    .option('-q, --quiet', 'leave out the line that says which one it is')
    .action(async (id: string | undefined, options: ResultOptions) => {
      const { showResults } = await import('./show-results.ts');
      await showResults(id, options);
    });
}
