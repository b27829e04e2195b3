import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { wakeAfter } from '../../clock.ts';
import { withinDeadline } from '../deadline.ts';
import { DeliveryFailure, toFailure } from '../failure.ts';
import type { Queue } from '../queue.ts';
import type { SmtpServer } from './smtp-url.ts';

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every try: mail programs and servers tell by it what they have already. */
  readonly message_id: string;
  /** The first mail of the thread that this one goes on with. */
  readonly references?: string;
}

const DEADLINE_MS = 20_000;
const GOODBYE_MS = 2000;

/**
 * Hands a mail in at a server, over a connection of its own. `leave` is called when the server is ready for the mail itself. Errors:
 * DeliveryFailure; final where the server takes it from nobody, and where it was given it and has not said whether it takes it.
 */
export function sendMail(server: SmtpServer, queue: Queue): (mail: Mail, leave: () => void) => Promise<void> {
  const place = `the mail server ${server.host}:${server.port}`;
  return async (mail, leave) => {
    let hasLeft = false;
    const leaveOnce = (): void => {
      leave();
      hasLeft = true;
    };
    try {
      await queue('smtp', () => withinDeadline(place, DEADLINE_MS, (signal) => handIn(server, mail, leaveOnce, signal)));
    } catch (error) {
      if (refusedForGood(error)) {
        throw new DeliveryFailure(answerOf(place, error), { final: true, cause: error });
      }
      const failure = toFailure(place, error);
      throw hasLeft && !isAnswer(error) ? perhapsArrived(failure) : failure;
    }
  };
}

async function handIn(server: SmtpServer, mail: Mail, leave: () => void, signal: AbortSignal): Promise<void> {
  const message = new MailComposer({
    from: server.from,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    messageId: mail.message_id,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(mail.references !== undefined && { inReplyTo: mail.references, references: mail.references }),
  }).compile();
  const bytes = await message.build();
  signal.throwIfAborted();
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    // What could listen in could also hide that the server can encrypt.
    requireTLS: server.credentials !== undefined && !server.local,
    tls: { rejectUnauthorized: !server.local },
    logger: false,
  });
  signal.addEventListener('abort', () => connection.close(), { once: true });
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('the connection was closed')));
  });
  try {
    await Promise.race([broken, conversation(connection, server, mail, bytes, leave)]);
    connection.quit();
    wakeAfter(GOODBYE_MS, () => connection.close());
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function conversation(connection: SMTPConnection, server: SmtpServer, mail: Mail, bytes: Buffer, leave: () => void): Promise<void> {
  const { credentials, from } = server;
  await answered((done) => connection.connect(done));
  if (credentials !== undefined) {
    await answered((done) => connection.login({ credentials, ...credentials }, done));
  }
  await answered((done) => connection.send({ from, to: mail.to, size: bytes.length }, readOnDemand(bytes, leave), done));
}

/** The bytes as a stream that calls `begin` when it is first read: the connection does so once the server is ready for them. */
function readOnDemand(bytes: Buffer, begin: () => void): Readable {
  const source = function* (): Generator<Buffer> {
    begin();
    yield bytes;
  };
  return Readable.from(source());
}

function answered(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    ask((error) => (error ? reject(error) : resolve()));
  });
}

/** Whether the server refuses this mail whenever it comes: a 5xx to the mail itself. Source: RFC 5321, section 4.2.1. */
function refusedForGood(error: unknown): boolean {
  const { code, responseCode } = partsOf(error);
  return ['EENVELOPE', 'EMESSAGE'].includes(String(code)) && Number(responseCode) >= 500;
}

/** Whether the server said no, be it for now. */
function isAnswer(error: unknown): boolean {
  return partsOf(error).responseCode !== undefined;
}

/** Sent again, it could arrive twice. */
function perhapsArrived({ message, cause }: DeliveryFailure): DeliveryFailure {
  const advice = 'it was given the mail, and whether that arrived is not known; redeliver it if it did not';
  return new DeliveryFailure(`${message}: ${advice}`, { final: true, cause });
}

function answerOf(place: string, error: unknown): string {
  return `${place} answered ${String(partsOf(error).response).slice(0, 200)}`;
}

function partsOf(error: unknown): Pick<SMTPConnection.SMTPError, 'code' | 'responseCode' | 'response'> {
  // What nodemailer throws has these, or none of them.
  return error instanceof Error ? (error as SMTPConnection.SMTPError) : {};
}
