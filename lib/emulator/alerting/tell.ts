import { createHash } from 'node:crypto';
import type { Recipients } from '../resources/recipients.ts';
import type { Account } from '../store/account.ts';
import { chatPayload, mailText } from './messages/forms.ts';
import type { Message } from './messages/message.ts';

/** Which turn of which incident people are told of. */
interface Turn {
  readonly incident: string;
  readonly transition: 'fired' | 'recovered';
  /** What all mail about the incident has for its subject, which is what mail programs make a thread of. */
  readonly thread: string;
}

/** Lets a message leave to each recipient, once; to one of them the turns of an incident leave in their order. */
export function tell(account: Account, turn: Turn, { email, slack }: Recipients, message: Message): void {
  const { incident } = turn;
  for (const { channel, url } of new Map(slack.map((each) => [`${each.channel} ${each.url}`, each])).values()) {
    const key = keyOf(turn, `${channel} ${url}`);
    account.post('chat', { incident, key, to: channel, url, payload: chatPayload(message) }, laneOf(incident, `${channel} ${url}`));
  }
  for (const to of new Set(email)) {
    const first = messageId(keyOf({ ...turn, transition: 'fired' }, to));
    const mail = { incident, key: keyOf(turn, to), to, text: mailText(message) };
    const place =
      turn.transition === 'fired'
        ? { subject: turn.thread, message_id: first }
        : { subject: `Re: ${turn.thread}`, message_id: messageId(mail.key), references: first };
    account.post('mail', { ...mail, ...place }, laneOf(incident, to));
  }
}

/** What tells a message from every other one, and is the same at every try. The recipient is in it as a digest: a webhook's address is a secret. */
function keyOf({ incident, transition }: Pick<Turn, 'incident' | 'transition'>, recipient: string): string {
  return `${incident}.${transition}.${createHash('sha256').update(recipient).digest('hex').slice(0, 12)}`;
}

function laneOf(incident: string, recipient: string): string {
  return `${incident} ${recipient}`;
}

/** A domain that nobody has: these mails come from no host of a name. */
function messageId(key: string): string {
  return `<${key}@deckhand.invalid>`;
}
