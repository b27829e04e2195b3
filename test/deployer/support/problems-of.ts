import { DeployError } from '../../../lib/deployer/deploy-error.ts';
import { type ReadOptions, readProject } from '../../../lib/deployer/read-project.ts';
import { tempProject } from './temp-project.ts';

/** What reading a project complains about, as `file:line: message`; empty when it can be read. The environment is empty unless given. */
export function problemsOf(files: Readonly<Record<string, string | Buffer>>, options: ReadOptions = {}): readonly string[] {
  try {
    readProject(tempProject(files), { env: {}, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    return error.problems.map(({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`);
  }
}
