import type { AddressInfo, Server } from 'node:net';
import { HostError } from '../host-error.ts';

/** Has a server listen on 127.0.0.1; 0 takes any free port. Resolves with the port. HostError `port_in_use`. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new HostError('port_in_use', `port ${port} is taken: choose another, or 0 for any`, { cause: error }) : error);
    };
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      // A server that listens on a port has an address of this shape.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
