import { type DeployOutcome, deployProject } from '../../../deployer/deploy-project.ts';
import { didYouMean } from '../../../deployer/nearest-name.ts';
import type { Project, ProjectFunction } from '../../../deployer/project.ts';
import { CliError } from '../../cli-error.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import type { OutputOptions } from '../options.ts';
import { printLine, tell } from '../output/print.ts';
import { type BuildOptions, deployOptions, readChosen } from '../project/deploy-options.ts';
import { onlyChanged } from '../watch/only-changed.ts';
import { watchProject } from '../watch/watch-project.ts';
import { type DevHostOptions, openDevHost } from './dev-host.ts';
import { runLines, type ShownRun } from './shown-run.ts';
import { type SourcePlaces, sourcePlaces } from './source-places.ts';

export interface DevOptions extends BuildOptions, OutputOptions {
  readonly port?: number;
  /** A function to debug. */
  readonly inspect?: string;
  readonly inspectPort?: number;
}

/**
 * `dev`: a host if none runs, the project deployed on it and deployed again as it changes, and every run of a function shown with what it
 * printed. What cannot be read, built or deployed is told and leaves the version before in place.
 */
export async function dev(directory: string, options: DevOptions): Promise<void> {
  // How each function ended is shown when all have, with its address or the reason.
  const how = { ...deployOptions(options, true), onResult: () => undefined };
  // What is wrong from the start is a mistake; what goes wrong later is worked on.
  const inspect = toInspect(readChosen(directory, options), options);
  const controller = untilInterrupted();
  const { signal } = controller;
  const printed = printer(options);
  const host = await openDevHost(directory, {
    signal,
    onRun: (run) => printed.run(run),
    ...(options.port !== undefined && { port: options.port }),
    ...(inspect !== undefined && { inspect }),
  });
  try {
    tell(`host ${host.description}`);
    await watchProject(directory, {
      read: () => readChosen(directory, options),
      deploy: (project, changed) => deployProject(onlyChanged(project, changed), host.target, { ...how, signal }),
      onDeployed: (outcome, project) => printed.deployed(outcome, project),
      onFailure: (failure) => tell(failure.message),
      onReady: () => tell(`watching ${directory}; Ctrl-C ends it`),
      signal,
    });
  } finally {
    controller.abort();
    await host.close();
  }
}

function toInspect(project: Project, { inspect, inspectPort }: DevOptions): DevHostOptions['inspect'] {
  if (inspect === undefined) {
    if (inspectPort !== undefined) throw new CliError(`--inspect-port ${inspectPort}: name the function to debug with --inspect`);
    return undefined;
  }
  const names = project.packages.flatMap((pack) => pack.functions).map((entry) => entry.fullName);
  if (!names.includes(inspect)) {
    throw new CliError(`--inspect: the project has no function ${inspect}${didYouMean(inspect, names)} (functions: ${names.join(', ')})`);
  }
  return { function: inspect, ...(inspectPort !== undefined && { port: inspectPort }) };
}

interface Printer {
  run(run: ShownRun): void;
  deployed(outcome: DeployOutcome, project: Project): void;
}

/** A call that began on the version before may end after the next is deployed; earlier ones are not asked for any more. */
const VERSIONS_KEPT = 2;

function printer({ output }: OutputOptions): Printer {
  const known = new Map<string, readonly { readonly version: string; readonly places: SourcePlaces }[]>();
  const note = (entry: ProjectFunction, version: string): void => {
    const before = known.get(entry.fullName) ?? [];
    if (before[0]?.version === version) return;
    known.set(entry.fullName, [{ version, places: sourcePlaces(entry) }, ...before].slice(0, VERSIONS_KEPT));
  };
  return {
    run(run) {
      const places = known.get(run.function)?.find(({ version }) => version === run.version)?.places;
      const translate = (text: string): string => places?.translate(text) ?? text;
      if (output === 'json') printJsonLine({ event: 'run', ...run, logs: run.logs.map(translate), problems: run.problems.map(translate) });
      else for (const line of runLines(run, translate)) printLine(line);
    },
    deployed(outcome, project) {
      const entries = project.packages.flatMap((pack) => pack.functions);
      for (const { name, version, url } of outcome.deployed) {
        const entry = entries.find((candidate) => candidate.fullName === name);
        if (entry) note(entry, version);
        if (output === 'text') printLine(`serving ${name} ${version}  ${url}`);
      }
      if (output === 'json') printJsonLine({ event: 'deployed', ...outcome });
      for (const { name, reason } of outcome.skipped) tell(`skipped ${name}: ${reason}`);
      for (const { name, error } of outcome.failed) tell(`failed ${name}: ${error}\nthe version before, if there is one, goes on serving`);
    },
  };
}

function printJsonLine(value: object): void {
  printLine(JSON.stringify(value));
}
