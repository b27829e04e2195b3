import { connect, createServer, type Socket } from 'node:net';

/** Who uses an installation that ends with the last of them. Each holds a connection, which ends with its process however that ends. */
export interface Users {
  /** Where they connect to, on 127.0.0.1. */
  readonly port: number;
  /** Resolves when nobody is left. Never, once somebody said that it is to stay. */
  readonly gone: Promise<void>;
  close(): void;
}

/** How long the first may take to come. */
const firstUserMs = 60_000;

/** How long it stays after the last: clients end a server and start it again to change its options. */
const lingerMs = 2000;

const words = { use: 'use\n', stay: 'stay\n' } as const;

/** Opens the place where users are counted. */
export async function countUsers(): Promise<Users> {
  const here = new Set<Socket>();
  let stays = false;
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const leaveIfAlone = () => {
    if (here.size === 0 && !stays) leave();
  };
  setTimeout(leaveIfAlone, firstUserMs).unref();
  const server = createServer((socket) => {
    here.add(socket);
    socket.setEncoding('utf8').on('data', (word) => {
      if (String(word) === words.stay) stays = true;
      socket.write(word);
    });
    // A process that was ended by force resets its connection; it has left all the same.
    socket.on('error', () => {});
    socket.once('close', () => {
      here.delete(socket);
      setTimeout(leaveIfAlone, lingerMs).unref();
    });
  });
  const port = await listening(server);
  return {
    port,
    gone,
    close() {
      server.close();
      for (const socket of here) socket.destroy();
    },
  };
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

/** A user's own end. */
export interface Use {
  /** Whether the installation has gone. */
  lost(): boolean;
  release(): void;
}

/** Has an installation go on until the use is released; undefined where it has gone or is about to. */
export async function use(port: number): Promise<Use | undefined> {
  const socket = await said(words.use, port);
  if (!socket) return undefined;
  socket.unref();
  return { lost: () => socket.destroyed || socket.readableEnded, release: () => socket.destroy() };
}

/** Has an installation go on until it is told to end; false where it has gone or is about to. */
export async function stay(port: number): Promise<boolean> {
  const socket = await said(words.stay, port);
  socket?.destroy();
  return socket !== undefined;
}

/** The connection, once what was said on it has been heard. */
function said(word: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(word));
    socket.on('error', () => {});
    socket.once('close', () => resolve(undefined));
    socket.once('data', () => resolve(socket));
  });
}
