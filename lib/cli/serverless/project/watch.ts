import { originOf } from '../../../deployer/api/connection.ts';
import { deployProject } from '../../../deployer/deploy-project.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import type { OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { onlyChanged } from '../watch/only-changed.ts';
import { watchProject } from '../watch/watch-project.ts';
import { complaintOf } from './deploy.ts';
import { type BuildOptions, deployOptions, readChosen } from './deploy-options.ts';
import { printOutcome } from './print-outcome.ts';

export interface WatchCommandOptions extends BuildOptions, OutputOptions {}

/** `watch`: deploys a project and then what changes in it. What fails is told and leaves what was deployed before in place. */
export async function watch(directory: string, options: WatchCommandOptions): Promise<void> {
  const target = resolveTarget(options, [directory, process.cwd()]);
  const how = deployOptions(options, true);
  const apihost = originOf(target.apihost);
  // What is wrong from the start is a mistake; what goes wrong later is worked on.
  readChosen(directory, options);
  const { signal } = untilInterrupted();
  const onResult = (line: string): void => {
    if (!signal.aborted) tell(line);
  };
  await watchProject(directory, {
    read: () => readChosen(directory, options),
    deploy: (project, changed) => deployProject(onlyChanged(project, changed), target, { ...how, signal, onResult }),
    onDeployed(outcome, project) {
      if (options.output === 'json') printJson({ project: project.dir, apihost, ...outcome });
      else printOutcome(outcome, { project: project.dir, apihost });
      const complaint = complaintOf(outcome);
      if (complaint !== null) tell(complaint);
    },
    onFailure: (failure) => tell(failure.message),
    onReady: () => tell(`watching ${directory}; Ctrl-C ends it`),
    signal,
  });
  if (options.output === 'text') printLine('');
}
