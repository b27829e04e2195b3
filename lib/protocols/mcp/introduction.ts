import type { Settings } from '../../functions/settings.ts';
import { completeText } from './complete.ts';
import { instructions as ofTools } from './instructions.ts';
import type { Method } from './method.ts';
import { serverInfo } from './server-info.ts';
import { isLegacyVersion, legacyVersions, supportedVersions } from './versions.ts';

/** How long what a server says of itself and its lists may be kept: they change only with a deployment. */
export const introductionTtlMs = 3_600_000;

/** How a server that can do this introduces itself: `initialize` in the revisions with a handshake, `server/discover` since. */
export function introduction(
  capabilities: Readonly<Record<string, unknown>>,
  instructions = ofTools,
  /** What there is besides in the newest revision, as the installation is set up. */
  besides: (settings: Settings) => Readonly<Record<string, unknown>> = () => ({}),
): { readonly initialize: Method; readonly discover: Method } {
  return {
    /** The version the client asks for where it is known, else the newest with a handshake. */
    initialize: ({ params }, { log }) => {
      log('initialize', 'ok');
      const asked = params.protocolVersion;
      const protocolVersion = typeof asked === 'string' && isLegacyVersion(asked) ? asked : legacyVersions[0];
      return JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions });
    },
    discover: (_, { log, served }) => {
      log('server/discover', 'ok');
      const all = { ...capabilities, ...besides(served.settings) };
      return completeText({ supportedVersions, capabilities: all, instructions }, true, { ttlMs: introductionTtlMs, cacheScope: 'public' });
    },
  };
}
