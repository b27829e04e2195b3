import type { DeployedFunction } from '../../../deployer/deploy-function.ts';
import type { DeployOutcome } from '../../../deployer/deploy-project.ts';
import { printLine } from '../output/print.ts';
import { type Column, table } from '../output/table.ts';
import { shortDuration, shortSize } from '../output/times.ts';

/** Where a project came from and went to. */
export interface Deployed {
  readonly project: string;
  readonly apihost: string;
}

const columns: readonly Column<DeployedFunction>[] = [
  { key: 'Function', heading: 'Function', value: ({ name }) => name },
  { key: 'Kind', heading: 'Kind', value: ({ kind }) => kind },
  { key: 'Size', heading: 'Size', value: ({ bytes }) => shortSize(bytes) },
  { key: 'Build', heading: 'Build', value: ({ buildMs }) => shortDuration(buildMs) },
  { key: 'Upload', heading: 'Upload', value: ({ ms, buildMs, unchanged }) => (unchanged ? 'unchanged' : shortDuration(ms - buildMs)) },
  { key: 'Version', heading: 'Version', value: ({ version }) => version },
  { key: 'URL', heading: 'URL', value: ({ url }) => url },
];

/** Prints what became of a project. */
export function printOutcome(outcome: DeployOutcome, { project, apihost }: Deployed): void {
  const { namespace, deployed, triggers, removedTriggers, skipped, failed } = outcome;
  printLine(`Deployed '${project}'`);
  printLine(`  to namespace '${namespace}'`);
  printLine(`  on host '${apihost}'`);
  if (deployed.length > 0) {
    printLine('Deployed functions:');
    for (const line of table(deployed, columns)) printLine(`  ${line}`);
  }
  if (triggers.length > 0) printLine('Triggers:');
  for (const { name, cron, function: runs } of triggers) printLine(`  - ${name} "${cron}" ${runs}`);
  if (removedTriggers.length > 0) printLine(`Removed triggers: ${removedTriggers.join(', ')}`);
  if (skipped.length > 0) printLine('Skipped:');
  for (const { name, reason } of skipped) printLine(`  - ${name}: ${reason}`);
  if (failed.length > 0) printLine('Failures:');
  for (const { name, error } of failed) printLine(`  - ${name}: ${indented(error)}`);
}

/** A reason of several lines stays below its name. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
