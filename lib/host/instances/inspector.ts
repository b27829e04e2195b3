import { connect, createServer, type Server, type Socket } from 'node:net';
import { HostError } from '../host-error.ts';
import { listen } from '../http/listen.ts';

/** Where debuggers look first. */
const usualPort = 9229;

/** What Node itself says on stderr of a process that can be debugged; not the function's words. */
const ownWords =
  /^(Debugger (listening on|ending on|attached)|For help, see: https:\/\/nodejs\.org\/|Waiting for the debugger to disconnect)/;

/**
 * The way to debug one function: a port on 127.0.0.1 that stays the same while its processes come and go, and leads to the one that was started
 * last. It knows which of them a debugger is attached to.
 */
export class Inspector {
  readonly #function: string;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  /** The ports of the processes themselves, the newest last. */
  #targets: readonly number[] = [];
  /** How many debuggers are attached, by port. */
  readonly #attached = new Map<number, number>();

  /** `name` is the function's, with its package. */
  constructor(name: string) {
    this.#function = name;
    this.#server = createServer((socket) => this.#relay(socket));
  }

  /** Listens at a port, 0 for any; without one at the usual one, or any where that is taken. Resolves with the port. HostError `port_in_use`. */
  async listen(port?: number): Promise<number> {
    try {
      return await listen(this.#server, port ?? usualPort);
    } catch (error) {
      if (port !== undefined || !(error instanceof HostError)) throw error;
      return listen(this.#server, 0);
    }
  }

  isFor(name: string): boolean {
    return name === this.#function;
  }

  /** Takes a line of a process's stderr: null for one of the function's, else the port that Node tells in it, if it does. */
  readLine(line: string): { readonly port: number | undefined } | null {
    if (!ownWords.test(line)) return null;
    const port = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
    return { port: port === undefined ? undefined : Number(port) };
  }

  /** A process can be debugged at this port of its own. */
  add(port: number): void {
    this.#targets = [...this.#targets, port];
  }

  remove(port: number): void {
    this.#targets = this.#targets.filter((target) => target !== port);
  }

  isAttached(port: number): boolean {
    return (this.#attached.get(port) ?? 0) > 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#connections) socket.destroy();
  }

  #relay(socket: Socket): void {
    const port = this.#targets.at(-1);
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const process = connect(port, '127.0.0.1');
    // Clients also look what there is to debug, by plain requests, again and again: those are not attached.
    socket.once('data', (first: Buffer) => {
      if (/^upgrade: *websocket/im.test(first.toString('latin1'))) this.#attach(port, socket);
    });
    for (const [from, to] of [
      [socket, process],
      [process, socket],
    ] as const) {
      this.#connections.add(from);
      from.pipe(to);
      // Either end may go at any time; the other then has nobody to talk to.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#connections.delete(from);
        to.destroy();
      });
    }
  }

  #attach(port: number, socket: Socket): void {
    this.#attached.set(port, (this.#attached.get(port) ?? 0) + 1);
    socket.once('close', () => this.#attached.set(port, (this.#attached.get(port) ?? 1) - 1));
  }
}
