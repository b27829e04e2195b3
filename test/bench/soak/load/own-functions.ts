import { deploy } from '../../host/deployed.ts';
import { answerOf, codeOf } from '../functions.ts';
import { recordedOf } from '../recorded.ts';
import type { Field, Work } from './load.ts';

const [warmFunctions, changedFunctions] = [8, 7] as const;

/** Functions that are no part of this repository, in a namespace of their own. */
export interface OwnFunctions {
  /** Calls one that is warm. */
  readonly warm: Work;
  /** Deploys another version of one and calls it, which is cold then. */
  readonly changed: Work;
  /** Deploys one, calls it, and deletes it. */
  readonly passing: Work;
  /** How many activations are recorded of them. */
  recorded(): Promise<number>;
}

export async function ownFunctions(field: Field): Promise<OwnFunctions> {
  const { ask, deployment } = field;
  const { platform, apihost, token } = deployment.ready;
  const headers = { authorization: `Bearer ${token}` };
  const label = { label: 'soak', region: 'local' };
  const { namespace } = await ask({ url: `${platform}/v2/functions/namespaces`, method: 'POST', headers, body: label });
  const host = { url: apihost, namespace: namespace.namespace, auth: `${namespace.uuid}:${namespace.key}` };
  const asked = (path: string, says: string, isWarm: boolean) => ask({ url: `${apihost}${path}`, says, isWarm, calls: 'own' });
  const paths: string[] = [];
  for (let i = 0; i < warmFunctions; i += 1) paths.push(await deploy(host, `warm${i}`, { code: codeOf(i), memory: 128 }));
  return {
    async warm(n) {
      const i = n % warmFunctions;
      await asked(`${paths[i]}?n=${n}`, answerOf(i, n), true);
    },
    async changed(n) {
      // The number of the version is told by the code, not by the request.
      const path = await deploy(host, `changed${n % changedFunctions}`, { code: versionCode(n), memory: 128 });
      await asked(path, `{"version":${n}}`, false);
    },
    async passing(n) {
      const path = await deploy(host, `passing${n}`, { code: versionCode(n), memory: 128 });
      await asked(path, `{"version":${n}}`, false);
      const url = `${apihost}/api/v1/namespaces/_/actions/passing${n}`;
      await ask({ url, method: 'DELETE', headers: { authorization: `Basic ${btoa(host.auth)}` } });
    },
    recorded: () => recordedOf(apihost, host.auth),
  };
}

const versionCode = (n: number) => `exports.main = () => ({ body: { version: ${n} } });`;
