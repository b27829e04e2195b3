import type { Command } from 'commander';
import { group, readCount, readParts, verb, withColumns, withTarget } from '../options.ts';
import type { GetOptions } from './get-function.ts';
import type { InvokeOptions } from './invoke-function.ts';
import type { ListFunctionsOptions } from './list-functions.ts';

/** `serverless functions ...`: what is deployed. Each verb loads what it needs when it runs. */
export function functionsCommands(): Command {
  return group('functions', ['function', 'fn'], 'Work with the functions in your namespace', [list(), get(), invoke(), remove()]);
}

function list(): Command {
  return withColumns(
    withTarget(verb('list [package]', 'List the functions, the most recently updated first', 'functions list sample --limit 3')),
  )
    .alias('ls')
    .option('-l, --limit <number>', 'the most functions to list', readCount)
    .option('-s, --skip <number>', 'leave out that many of the most recently updated', readCount)
    .option('--count', 'tell only how many there are')
    .option('-n, --name', 'sort by name')
    .option('--name-sort', 'sort by name')
    .action(async (packageName: string | undefined, options: ListFunctionsOptions) => {
      const { listFunctions } = await import('./list-functions.ts');
      await listFunctions(packageName, options);
    });
}

function get(): Command {
  return withTarget(verb('get <function>', 'Show the metadata, code or address of a function', 'functions get sample/hello --url'))
    .option('-r, --url', 'print its address')
    .option('--code', 'print its code; not for one that is a zip')
    .option('--save', "write its code to a file of the function's name")
    .option('--save-as <file>', 'write its code to this file')
    .option('-E, --save-env <file>', 'write its environment to this file, as KEY=value')
    .option('-J, --save-env-json <file>', 'write its environment to this file, as JSON')
    .action(async (name: string, options: GetOptions) => {
      const { getFunction } = await import('./get-function.ts');
      await getFunction(name, options);
    });
}

function invoke(): Command {
  return withTarget(verb('invoke <function>', 'Invoke a function and print its result', 'functions invoke sample/hello --param name:Sammy'))
    .option('-p, --param <key:value>', 'an input; several with commas, or by repeating the option', readParts)
    .option('-P, --param-file <file>', 'a JSON file with inputs; those of --param win over it')
    .option('-f, --full', 'print the whole activation record')
    .option('-r, --result', 'print the result alone, as without this')
    .option('-n, --no-wait', 'do not wait: print the activation id')
    .option('--web', 'call its address as anybody would, and print the body of the answer')
    .action(async (name: string, options: InvokeOptions) => {
      const { invokeFunction } = await import('./invoke-function.ts');
      await invokeFunction(name, options);
    });
}

function remove(): Command {
  return withTarget(verb('delete <functions...>', 'Delete functions', 'functions delete sample/hello'))
    .alias('rm')
    .action(async (names: readonly string[], options) => {
      const { deleteFunctions } = await import('./delete-functions.ts');
      await deleteFunctions(names, options);
    });
}
