import type { Family } from '../resources/family.ts';
import type { Effect } from '../store/machinery.ts';
import { type ChatMessage, sendChat } from './chat/send-chat.ts';
import { toFailure } from './failure.ts';
import { type Mail, sendMail } from './mail/send-mail.ts';
import { parseSmtpUrl } from './mail/smtp-url.ts';
import { receiverQueue } from './queue.ts';
import { RETRY, retry, settleDelivered, settleFailed } from './retry.ts';

export interface NotifierOptions {
  /** Where mail is handed in; without it mail stays in the outbox. */
  readonly smtpUrl?: string | undefined;
  /** Origins that the redirect of a chat webhook may lead to though their addresses are private. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** How many messages are on their way to one receiver at a time. */
const AT_ONCE = 4;

/** What leaves the emulator as a message to people. Errors: an `smtpUrl` that can not be read. */
export function notifierFamily({ smtpUrl, allowedOrigins = [] }: NotifierOptions): Family {
  const queue = receiverQueue(AT_ONCE);
  return {
    routes: [],
    effects: {
      chat: delivery<ChatMessage>(sendChat({ allowedOrigins, queue })),
      ...(smtpUrl !== undefined && { mail: delivery<Mail>(sendMail(parseSmtpUrl(smtpUrl), queue)) }),
    },
    due: { [RETRY]: (account, id, attempts) => retry(account, Number(id), attempts) },
  };
}

/** Sends the message of an entry once, and notes what became of it. */
function delivery<Message>(send: (message: Message, leave: () => void) => Promise<void>): Effect {
  return async ({ id, data }, leave) => {
    try {
      // Entries of a kind are posted with the data of this very type.
      await send(data as Message, leave);
      return (account) => settleDelivered(account, id);
    } catch (error) {
      const failure = toFailure('not delivered', error);
      return (account) => settleFailed(account, id, failure);
    }
  };
}
