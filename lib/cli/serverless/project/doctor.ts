import { type Finding, inspectDirectory } from '../../../deployer/inspect/inspect-project.ts';
import { CliError } from '../../cli-error.ts';
import type { OutputOptions } from '../options.ts';
import { emphasized, muted, printJson, printLine } from '../output/print.ts';
import type { BuildOptions } from './deploy-options.ts';

export type DoctorOptions = Pick<BuildOptions, 'env' | 'include' | 'exclude'> & OutputOptions;

/** `doctor`: what of a project will fail or surprise on the real platform. Builds and deploys nothing. CliError where something will fail. */
export async function doctor(directory: string, { env, include, exclude, output }: DoctorOptions): Promise<void> {
  const findings = await inspectDirectory(directory, { ...(env !== undefined && { envFile: env }), only: { include, exclude } });
  if (output === 'json') printJson({ findings });
  else if (findings.length === 0) printLine(`${directory}: nothing found that the platform would refuse`);
  else for (const finding of inOrder(findings)) printFinding(finding);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new CliError(`${directory}: ${count(errors.length, 'finding')} will fail on the platform`);
}

/** What fails comes first. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return (['error', 'warning', 'note'] as const).flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

function printFinding({ function: name, file, line, severity, message, fix }: Finding): void {
  const place = line === null ? file : `${file}:${line}`;
  printLine(`${emphasized(severity)} ${place}${name === null ? '' : ` (${name})`}`);
  printLine(`  ${message.replaceAll('\n', '\n  ')}`);
  printLine(muted(`  fix: ${fix}`));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
