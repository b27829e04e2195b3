import { defaultKindsDir, KindBinaries } from '../../../lib/host/kinds/kind-binaries.ts';

/** Whether the Node of a kind is on this machine or can be fetched; tests of a kind that cannot are skipped, and show as such. */
export async function isAvailable(kind: string): Promise<boolean> {
  try {
    await new KindBinaries(defaultKindsDir(), () => {}).ensure(kind);
    return true;
  } catch {
    return false;
  }
}

/** Whether the Node of a kind is on this machine already. */
export function isPresent(kind: string): boolean {
  return new KindBinaries(defaultKindsDir(), () => {}).locate(kind) !== undefined;
}
