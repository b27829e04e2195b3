import type { Family } from '../resources/family.ts';
import { checks } from '../resources/uptime/checks.ts';
import { type Asked, forgetProbe, recordProbe } from '../resources/uptime/record.ts';
import { PROBE, planForgotten, takeTurn } from '../resources/uptime/schedule.ts';
import type { Account } from '../store/account.ts';
import { CLOCK_SET_BACK, type Effect } from '../store/machinery.ts';
import { deleteEntry } from '../store/outbox.ts';
import { emulatedAnswer } from './emulated.ts';
import { ProbeAbandoned } from './failure.ts';
import type { ProbeOrder, Prober } from './prober.ts';
import type { ProbeResult } from './result.ts';

/** Has uptime checks really probe, by way of a prober. Without this family their states rest at CHECKING. */
export function probeFamily(prober: Prober): Family {
  return {
    routes: [],
    due: { [PROBE]: beginProbe },
    effects: { [PROBE]: carryOut(prober) },
    unlisted: [PROBE],
    on: { [CLOCK_SET_BACK]: planForgotten },
    opened: planForgotten,
  };
}

/** What leaves the account to be probed. */
interface Posted extends Asked, Omit<ProbeOrder, 'atMs'> {}

function beginProbe(account: Account, ref: string): void {
  const turn = takeTurn(account, ref);
  const check = turn === undefined ? undefined : checks.get(account, turn.checkId)?.wire;
  if (turn === undefined || check === undefined) {
    return;
  }
  const asked: Asked = { checkId: check.id, region: turn.region, askedMs: account.nowMs };
  const answer = emulatedAnswer(account, check);
  if (answer !== undefined) {
    recordProbe(account, asked, answer);
    return;
  }
  const posted: Posted = { ...asked, type: check.type, target: check.target };
  account.post(PROBE, { ...posted });
}

function carryOut(prober: Prober): Effect {
  return async (entry) => {
    // It was posted above.
    const posted = entry.data as unknown as Posted;
    const result = await outcomeOf(prober, { ...posted, atMs: entry.atMs });
    return (account) => {
      // Probes come by the thousand, and what they found is with their check: the outbox keeps none that is over.
      deleteEntry(account, entry.id);
      if (result === undefined) {
        forgetProbe(account, posted);
      } else {
        recordProbe(account, posted, result);
      }
    };
  };
}

/** Undefined for a probe that says nothing of its target. */
async function outcomeOf(prober: Prober, order: ProbeOrder): Promise<ProbeResult | undefined> {
  try {
    return await prober.probe(order);
  } catch (error) {
    if (error instanceof ProbeAbandoned) {
      return undefined;
    }
    throw error;
  }
}
