import { defaultKindsDir, KindBinaries } from '../../../lib/host/kinds/kind-binaries.ts';
import { kinds } from '../../../lib/host/kinds/kinds.ts';

/** A kind to run tests on; `absent` says why its Node is not on this machine and cannot be fetched. */
export interface TestedKind {
  readonly kind: string;
  readonly providesPackages: boolean;
  readonly absent: string | undefined;
}

/** Every kind, fetched into the user's cache where need be; tests of one that is absent are skipped, and show as such with the reason. */
export async function everyKind(): Promise<readonly TestedKind[]> {
  const binaries = new KindBinaries(defaultKindsDir(), () => {});
  const tested: TestedKind[] = [];
  for (const { kind, providesPackages } of kinds) {
    const absent = await binaries.ensure(kind).then(
      () => undefined,
      (error: Error) => error.message,
    );
    tested.push({ kind, providesPackages, absent });
  }
  return tested;
}
