import { isPrivateAddress } from '../../special-addresses.ts';
import { withinDeadline } from '../deadline.ts';
import { DeliveryFailure, toFailure } from '../failure.ts';
import type { Queue } from '../queue.ts';
import { addressOf, refuseLinkLocal } from './addresses.ts';
import { type Answer, post, refusal } from './post.ts';

/** A message for the webhook of a chat service. */
export interface ChatMessage {
  readonly url: string;
  /** The same for every try: who takes webhooks from many sides tells by it what it has already. */
  readonly key: string;
  readonly payload: object;
}

export interface ChatOptions {
  /** Origins that a redirect may lead to though their addresses are private: our own router's. */
  readonly allowedOrigins: readonly string[];
  readonly queue: Queue;
}

const DEADLINE_MS = 10_000;
const MAX_REDIRECTS = 3;

/**
 * Posts a message to where its webhook is. The address itself is its owner's choice, on this machine too; where a redirect leads is not,
 * so that it is followed to public addresses, within one origin, and to the origins that are allowed. Errors: DeliveryFailure.
 */
export function sendChat({ allowedOrigins, queue }: ChatOptions): (message: ChatMessage, leave: () => void) => Promise<void> {
  const mayRedirect = async (from: URL, to: URL): Promise<string> => {
    if (from.protocol === 'https:' && to.protocol !== 'https:' && !allowedOrigins.includes(to.origin)) {
      throw new DeliveryFailure(`${from.host} redirects to ${to.host} without encryption, which is not followed`, { final: true });
    }
    const address = await addressOf(to.hostname);
    if (from.origin !== to.origin && !allowedOrigins.includes(to.origin) && isPrivateAddress(address)) {
      throw new DeliveryFailure(`${from.host} redirects to ${to.host} (${address}), a private address, which is not followed`, {
        final: true,
      });
    }
    return address;
  };

  const deliver = async ({ url: first, key, payload }: ChatMessage, leave: () => void, signal: AbortSignal): Promise<void> => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Deckhand', 'idempotency-key': key };
    const body = JSON.stringify(payload);
    let url = new URL(first);
    let address = await addressOf(url.hostname);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      if (!allowedOrigins.includes(url.origin)) {
        refuseLinkLocal(url.host, address);
      }
      const answer = await post({ url, address, headers, body, leave, signal });
      if (answer.status >= 200 && answer.status < 300) {
        return;
      }
      const next = redirected(url, answer);
      address = await mayRedirect(url, next);
      url = next;
    }
    throw new DeliveryFailure(`${new URL(first).host} redirects more than ${MAX_REDIRECTS} times`, { final: true });
  };

  return async (message, leave) => {
    const { host, origin } = new URL(message.url);
    try {
      await queue(origin, () => withinDeadline(host, DEADLINE_MS, (signal) => deliver(message, leave, signal)));
    } catch (error) {
      throw toFailure(host, error);
    }
  };
}

/** Where an answer sends the message on to. Errors: every other answer; redirects after which a POST becomes a GET say nothing. */
function redirected(url: URL, answer: Answer): URL {
  if (![307, 308].includes(answer.status) || answer.location === undefined || !URL.canParse(answer.location, url.href)) {
    throw refusal(url.host, answer);
  }
  const next = new URL(answer.location, url);
  if (next.protocol !== 'http:' && next.protocol !== 'https:') {
    throw new DeliveryFailure(`${url.host} redirects to ${next.protocol}, which is not followed`, { final: true });
  }
  return next;
}
