import type { Policy } from '../../resources/alert-policies/policies.ts';
import { policyTypes } from '../../resources/alert-policies/types.ts';
import { ALARM, clockTime, type Message, recoveredMessage } from '../messages/message.ts';
import type { Watches } from './watched.ts';

/** What a policy speaks of. */
export interface PolicyNews {
  readonly policy: Policy;
  readonly kind: Watches;
  readonly entity: string;
  readonly name: string;
  readonly incident: string;
}

/** What is told when a policy fires for a resource. */
export function policyFired(news: PolicyNews, value: number, sinceMs: number, nowMs: number): Message {
  const { policy, kind, entity, name } = news;
  const title = `ALERT: ${name}`;
  const shown = `${Math.round(value * 100) / 100}${unitOf(policy)}`;
  return {
    text: `${title} (${kind} ${entity}) ${conditionOf(policy)} since ${clockTime(sinceMs, nowMs)}: ${shown}`,
    title,
    color: ALARM,
    fields: [
      { title: 'Alert', value: conditionOf(policy), short: true },
      { title: 'Resource', value: `${kind} ${entity}`, short: true },
      { title: 'Value', value: shown, short: true },
      { title: 'Policy', value: policy.description, short: false },
    ],
    footer: footerOf(news),
  };
}

export function policyRecovered(news: PolicyNews, lastedMs: number): Message {
  return recoveredMessage(news.name, conditionOf(news.policy), lastedMs, footerOf(news));
}

/** What a policy asks: `cpu above 80% for 10m`. */
export function conditionOf(policy: Policy): string {
  const measure = policy.type.slice(policy.type.lastIndexOf('/') + 1);
  return `${measure} ${policy.compare === 'GreaterThan' ? 'above' : 'below'} ${policy.value}${unitOf(policy)} for ${policy.window}`;
}

function unitOf({ type }: Policy): string {
  return policyTypes.get(type)?.percent ? '%' : '';
}

function footerOf({ policy, entity, incident }: PolicyNews): string {
  return `policy ${policy.uuid} entity ${entity} incident ${incident}`;
}
