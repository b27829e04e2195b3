import { type Finding, finding } from '../finding.ts';
import { recordedBy, recordedOf } from '../recorded.ts';
import { hookLoad } from './hooks.ts';
import type { Field, Work } from './load.ts';
import { mcpCalls, mcpSession } from './mcp.ts';
import { ownFunctions } from './own-functions.ts';
import { domainRead, jsonRead, platformReads, waitedWrite, writes } from './tools.ts';
import { watched } from './watched.ts';

/** Everything that a deployment is asked to do, in turn. */
export interface MixedLoad extends AsyncDisposable {
  /** One after the other, evenly mixed, over and over. */
  readonly cycle: readonly Work[];
  /** What takes its time, and is begun beside a cycle. */
  readonly slow: Work;
  /** Whether anything of it was lost. */
  findings(): Promise<readonly Finding[]>;
}

/**
 * How often each kind of work comes in a cycle, which takes six seconds. Of the requests some 50 call functions of this repository and some 50 others,
 * where the platform allows a namespace 60.
 */
const shares = {
  call: 10,
  session: 2,
  json: 8,
  domain: 8,
  write: 4,
  hook: 4,
  platform: 16,
  warm: 26,
  changed: 20,
  passing: 4,
  watched: 1,
} as const;

/** How much work a minute has. */
export const perMinute = 10 * Object.values(shares).reduce((sum, share) => sum + share, 0);

export async function mixedLoad(field: Field, watchedAccount: string): Promise<MixedLoad> {
  const { apihost, auth } = field.deployment.ready;
  const own = await ownFunctions(field);
  const hooks = hookLoad(field);
  const watch = await watched(field, watchedAccount);
  const before = await recordedOf(apihost, auth);
  const work: Readonly<Record<keyof typeof shares, Work>> = {
    call: mcpCalls(field),
    session: mcpSession(field),
    json: jsonRead(field),
    domain: domainRead(field),
    write: writes(field),
    platform: platformReads(field),
    hook: hooks.work,
    warm: own.warm,
    changed: own.changed,
    passing: own.passing,
    watched: watch.work,
  };
  return {
    cycle: spreadEvenly(work),
    slow: waitedWrite(field),
    async findings() {
      const found = [...(await hooks.findings()), ...(await watch.findings())];
      const made = { project: field.calls.project + watch.toHook, own: field.calls.own };
      const recorded = {
        project: (await recordedBy(() => recordedOf(apihost, auth), before + made.project)) - before,
        own: await recordedBy(own.recorded, made.own),
      };
      return [
        finding(
          "activations of this repository's functions",
          `${recorded.project} of ${made.project}`,
          'all',
          recorded.project === made.project,
        ),
        finding('activations of other functions', `${recorded.own} of ${made.own}`, 'all', recorded.own === made.own),
        ...found,
      ];
    },
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

/** As often as its share says, and each time as far from the last as it can be. Each kind counts for itself, so that its turns are not those of the cycle. */
function spreadEvenly(work: Readonly<Record<keyof typeof shares, Work>>): readonly Work[] {
  const places = Object.entries(shares).flatMap(([kind, share]) => {
    // Safe: the keys of the shares.
    const counted = counting(work[kind as keyof typeof shares]);
    return Array.from({ length: share }, (_, i) => ({ at: (i + 0.5) / share, counted }));
  });
  return places.sort((one, other) => one.at - other.at).map(({ counted }) => counted);
}

function counting(work: Work): Work {
  let count = 0;
  return () => {
    count += 1;
    return work(count);
  };
}
