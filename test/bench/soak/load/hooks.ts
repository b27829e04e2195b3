import { type SignedDelivery, signDelivery } from '../../../../lib/cli/hooks/sign-delivery.ts';
import type { Question } from '../asking.ts';
import { hookSecrets } from '../deployment.ts';
import { type Finding, finding } from '../finding.ts';
import { type Field, turnOf, type Work } from './load.ts';

/** As many as the log of a hook keeps. */
const keptDeliveries = 200;

export interface HookLoad {
  readonly work: Work;
  /** Whether the log of the hook knows what was sent to it last. */
  findings(): Promise<readonly Finding[]>;
}

/** Deliveries as GitHub and Slack sign them: one that makes a call, one that no rule is for, and one that comes twice. */
export function hookLoad(field: Field): HookLoad {
  const { ask, deployment } = field;
  const { hooks, token } = deployment.ready;
  const sent: string[] = [];
  const github = async (status: string, delivery = push()): Promise<SignedDelivery> => {
    await ask({ ...posted(hooks, delivery, pushed), says: `"status":"${status}"` });
    return delivery;
  };
  const kinds: readonly Work[] = [
    async (n) => {
      const body = new URLSearchParams({ command: '/account', trigger_id: `soak.${n}` }).toString();
      const delivery = signDelivery({ ...described, name: 'slack-ops', verify: { kind: 'slack' } }, body, hookSecrets.SLACK_SIGNING_SECRET);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      await ask({ ...posted(hooks, delivery, body, form), says: '"status":"done"' });
    },
    async () => {
      const delivery = await github('ignored');
      sent.push(idOf(delivery));
    },
    async () => {
      const delivery = await github('ignored');
      sent.push(idOf(delivery));
      await github('duplicate', delivery);
    },
  ];
  return {
    work: (n) => turnOf(kinds, n)(n),
    async findings() {
      const headers = { authorization: `Bearer ${token}` };
      const { deliveries } = await ask({ url: `${hooks}/github-deploy/deliveries`, headers, calls: 'project' });
      const known = new Set(deliveries.map(({ id }: { readonly id: string }) => id));
      // A duplicate is in the log too.
      const last = sent.slice(-keptDeliveries / 2);
      const found = last.filter((id) => known.has(id)).length;
      return [finding('last deliveries in the log of a hook', `${found} of ${last.length}`, 'all', found === last.length)];
    },
  };
}

const described = { secrets: [], caller: 'ci', writes: true } as const;
const pushed = JSON.stringify({ ref: 'refs/heads/main', repository: { name: 'shop' } });

function push(): SignedDelivery {
  return signDelivery({ ...described, name: 'github-deploy', verify: { kind: 'github' } }, pushed, hookSecrets.GITHUB_WEBHOOK_SECRET);
}

function idOf({ headers }: SignedDelivery): string {
  return headers['x-github-delivery'] ?? '';
}

function posted(hooks: string, { path, headers }: SignedDelivery, body: string, more: Readonly<Record<string, string>> = {}): Question {
  return {
    url: `${hooks}${path}`,
    method: 'POST',
    headers: { 'x-github-event': 'push', ...headers, ...more },
    body,
    calls: 'project',
    isWarm: true,
  };
}
