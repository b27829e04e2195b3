import { DeployError } from './deploy-error.ts';

/** A function, package or trigger that is not on the host as the project has it, with the reason and the way out. */
export interface Failed {
  readonly name: string;
  readonly error: string;
}

/** Runs a step; a DeployError or an error of the file system becomes `failed` under the given name. */
export async function failable<T>(name: string, step: () => Promise<T>): Promise<T | { readonly failed: Failed }> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DeployError || isSystemError(error)) return { failed: { name, error: error.message } };
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
