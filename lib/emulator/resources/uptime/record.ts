import { regionLatencyMs } from '../../assumptions.ts';
import { isUp, type ProbeResult } from '../../probes/result.ts';
import type { Account } from '../../store/account.ts';
import { checks } from './checks.ts';
import { closeSpan, findVantage, type LastProbe, putVantage, type Vantage } from './vantages.ts';

/** The probe that a result is of. */
export interface Asked {
  readonly checkId: string;
  readonly region: string;
  readonly askedMs: number;
}

/** Announced with the check's id, inside the transaction, after each result that was recorded. */
export const PROBE_RECORDED = 'probe.recorded';

/** Keeps what a probe found out; of one that nobody waits for any more, because its check was changed or is gone, nothing. */
export function recordProbe(account: Account, { checkId, region, askedMs }: Asked, result: ProbeResult): void {
  const vantage = findVantage(account, checkId, region);
  if (vantage === undefined || vantage.askedMs !== askedMs) {
    return;
  }
  const status = isUp(result) ? 'UP' : 'DOWN';
  const { tookMs, certificateExpiresAtMs, ...found } = result;
  const last: LastProbe = { ...found, atMs: account.nowMs, latencyMs: tookMs === null ? null : tookMs + regionLatencyMs[vantage.region] };
  if (status !== vantage.status) {
    leaveStatus(account, vantage);
  }
  putVantage(account, {
    ...vantage,
    status,
    sinceMs: status === vantage.status ? vantage.sinceMs : account.nowMs,
    askedMs: null,
    last,
    certificateExpiresAtMs: certificateExpiresAtMs ?? vantage.certificateExpiresAtMs,
  });
  account.announce(PROBE_RECORDED, checkId);
}

/** Gives up a probe that was cut short: it says nothing of its target, and the next one comes in its turn. */
export function forgetProbe(account: Account, { checkId, region, askedMs }: Asked): void {
  const vantage = findVantage(account, checkId, region);
  if (vantage?.askedMs === askedMs) {
    putVantage(account, { ...vantage, askedMs: null });
  }
}

function leaveStatus(account: Account, vantage: Vantage): void {
  closeSpan(account, vantage);
  const check = checks.get(account, vantage.checkId);
  if (vantage.status === 'DOWN' && check !== undefined) {
    const previousOutage = { region: vantage.region, fromMs: vantage.sinceMs, toMs: account.nowMs };
    checks.update(account, check.wire, { ...check.hidden, previousOutage });
  }
}
