import { projectMetadata } from '../../../deployer/project-metadata.ts';
import { readProject } from '../../../deployer/read-project.ts';
import { printJson } from '../output/print.ts';
import type { BuildOptions } from './deploy-options.ts';

export type MetadataOptions = Pick<BuildOptions, 'env' | 'include' | 'exclude'>;

/** `get-metadata`: what a project holds. Variables without a value are listed, and stop nothing. */
export function getMetadata(directory: string, { env, include, exclude }: MetadataOptions): void {
  const project = readProject(directory, {
    ...(env !== undefined && { envFile: env }),
    unresolved: 'list',
    only: { include, exclude },
  });
  printJson(projectMetadata(project));
}
