import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeployError } from '../../deployer/deploy-error.ts';
import { deploySlice } from '../../deployer/remote/deploy-slice.ts';
import { decryptConfig } from '../../deployer/remote/slice-cipher.ts';
import { HostError } from '../../host/host-error.ts';
import type { RemoteBuilt, RemoteSlice } from '../../host/start-host.ts';

/** Builds what `--remote-build` sends to a host, with the deployer of this installation. HostError for what the sender can mend. */
export async function buildSlice({ dir, encryptionKey, target, environment, signal }: RemoteSlice): Promise<RemoteBuilt> {
  try {
    return await deploySlice({ dir, config: readConfig(dir, encryptionKey) }, target, { signal, environment });
  } catch (error) {
    throw error instanceof DeployError ? new HostError('bad_request', error.message, { cause: error }) : error;
  }
}

function readConfig(dir: string, encryptionKey: string | undefined): string {
  const text = readProjectFile(dir);
  // Older deployers of the platform send it in clear.
  return encryptionKey === undefined ? text : decryptConfig(text, encryptionKey);
}

function readProjectFile(dir: string): string {
  try {
    return readFileSync(join(dir, 'project.yml'), 'utf8');
  } catch (error) {
    throw new HostError('bad_request', 'the slice has no project.yml: send the directory of one function, lib/ and a project.yml', {
      cause: error,
    });
  }
}
