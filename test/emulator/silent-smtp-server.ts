import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Where a mail server can fall silent: at the connection, at a command, or once a mail is there whole. */
export const STEPS = ['connection', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'whole mail', 'QUIT'] as const;
export type Step = (typeof STEPS)[number];

export interface SilentServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** The ids of the mails that are there whole, whether that was said or not. */
  readonly received: readonly string[];
  /** How many connections it has left without an answer. */
  hanging(): number;
  /** How many connections are open. */
  open(): number;
  /** Has it answer whatever comes from now on. */
  mend(): void;
}

const ANSWERS: Readonly<Record<Step, string>> = {
  connection: '220 mail.example.com',
  EHLO: '250 mail.example.com',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go on',
  'whole mail': '250 OK',
  QUIT: '221 Bye',
};

export interface Silence {
  readonly at: Step;
  /** Which commands it does not answer, where it is not all of that step. */
  readonly of?: RegExp;
  /** Whether it cuts the connection. */
  readonly cuts?: boolean;
}

/** A mail server that says nothing at one step. */
export async function silentServer({ at, of = /^/, cuts = false }: Silence): Promise<SilentServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let hanging = 0;
  let isWell = false;
  const answer = (socket: Socket, step: Step, line = ''): void => {
    if (isWell || step !== at || !of.test(line)) {
      socket.write(`${ANSWERS[step]}\r\n`);
      return;
    }
    hanging += 1;
    if (cuts) {
      socket.end();
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    let mail: string[] | undefined;
    createInterface({ input: socket }).on('line', (line) => {
      if (mail === undefined) {
        const step = STEPS.find((known) => line.startsWith(known)) ?? 'EHLO';
        mail = step === 'DATA' ? [] : undefined;
        answer(socket, step, line);
      } else if (line === '.') {
        received.push(/^Message-ID:\s+(<.*>)$/m.exec(mail.join('\n'))?.[1] ?? '');
        mail = undefined;
        answer(socket, 'whole mail');
      } else {
        mail.push(line);
      }
    });
    answer(socket, 'connection');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    hanging: () => hanging,
    open: () => sockets.size,
    mend: () => {
      isWell = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
    },
  };
}
