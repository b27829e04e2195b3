import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it was handed in. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedMail[];
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Called when a mail is there whole, before its sender hears so. */
  readonly onAccepted?: () => void;
}

/** A mail server on this machine that keeps what it is given. */
export async function mailServer({ onAccepted, ...options }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    key: certificateFile('leaf-key.pem'),
    cert: certificateFile('leaf.pem'),
    onData: (stream, { envelope }, done) => {
      textOf(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parsed(source) });
        onAccepted?.();
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const certificateFile = (name: string): Buffer => readFileSync(new URL(`../fixtures/certificates/${name}`, import.meta.url));

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, text: source.slice(end + 4) };
}
