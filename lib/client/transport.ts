import http from 'node:http';
import https from 'node:https';

/** Whether bytes of a request may have left this machine, so that it may have had an effect. */
export interface Departure {
  departed: boolean;
}

const kept = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
const fresh = { http: new http.Agent(), https: new https.Agent() };

/**
 * The connections to send a request over. Reads share those that are kept open. A write gets a fresh one: when a kept connection turns out to
 * have been closed from the other side, nobody can tell whether the write was still read from it.
 */
export function agentFor(protocol: string, write: boolean): http.Agent {
  const agents = write ? fresh : kept;
  return protocol === 'https:' ? agents.https : agents.http;
}

/**
 * A transport for axios that notes the moment after which a request can no longer be called back: when its connection stands.
 * Until then it waits in this process. (`transport` is what axios calls in place of `node:http`.)
 */
export function watchedTransport(departure: Departure) {
  return {
    request(options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void): http.ClientRequest {
      const secure = options.protocol === 'https:';
      const request = (secure ? https : http).request(options, onResponse);
      request.once('socket', (socket) => {
        departure.departed = !socket.connecting;
        if (!socket.connecting) return;
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          departure.departed = true;
        });
      });
      return request;
    },
  };
}
