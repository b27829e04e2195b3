import { originOf } from '../../../deployer/api/connection.ts';
import { type DeployOutcome, deployProject } from '../../../deployer/deploy-project.ts';
import { CliError } from '../../cli-error.ts';
import { whileRunning } from '../../until-interrupted.ts';
import type { OutputOptions } from '../options.ts';
import { printJson } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { type BuildOptions, deployOptions, readChosen } from './deploy-options.ts';
import { printOutcome } from './print-outcome.ts';

export interface DeployCommandOptions extends BuildOptions, OutputOptions {
  readonly incremental?: boolean;
}

/** `deploy`: everything that can be, is deployed; what cannot is told, and ends the command with 1. */
export async function deploy(directory: string, options: DeployCommandOptions): Promise<void> {
  const project = readChosen(directory, options);
  const target = resolveTarget(options, [directory, process.cwd()]);
  const outcome = await deployProject(project, target, {
    ...deployOptions(options, options.incremental ?? false),
    signal: whileRunning(),
  });
  const apihost = originOf(target.apihost);
  if (options.output === 'json') printJson({ project: project.dir, apihost, ...outcome });
  else printOutcome(outcome, { project: project.dir, apihost });
  const complaint = complaintOf(outcome);
  if (complaint !== null) throw new CliError(complaint);
}

/** What there is to complain of after a deployment; null where all went well. */
export function complaintOf({ failed, skipped }: DeployOutcome): string | null {
  const parts = [...(failed.length > 0 ? [`${failed.length} failed`] : []), ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])];
  return parts.length === 0 ? null : `not everything was deployed: ${parts.join(', ')}; the reasons are above`;
}
