import { renderListing } from '../../lib/catalogue/listing.ts';
import { renderSearchIndex } from '../../lib/catalogue/search/render-index.ts';
import { httpStatus } from '../../lib/errors.ts';
import type { Event } from '../../lib/functions/event.ts';
import type { CallRecord } from '../../lib/protocols/call-log.ts';
import { serve } from '../../lib/protocols/serve.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';

/** Secrets that an installation holds; none may come out of it. */
export const secrets = {
  platform: 'canary-platform-7f3a',
  seal: 'canary-seal-9c41-and-long-enough-to-be-one',
  caller: 'canary-caller-51d0',
} as const;

/** Codes and statuses that an answer may have. */
export const errorCodes: ReadonlySet<unknown> = new Set(Object.keys(httpStatus));

const listing = renderListing(toolsets);

/** As long as the router may take where it is deployed: what is answered is not to be a matter of how busy this machine is. */
const functionMs = 25_000;

/** The router over a platform, and what it has put into its log. */
export function fuzzedRouter(platformUrl: string) {
  const logged: CallRecord[] = [];
  const main = serve({
    toolsets,
    listing,
    searchIndex: async () => ({ searchIndex: renderSearchIndex(toolsets, listing) }),
    router: true,
    environment: { PLATFORM_API_URL: platformUrl, SEAL_KEY: secrets.seal },
    log: (record) => logged.push(record),
  });
  const invoke = async (event: Event, leftMs = functionMs): Promise<Seen> => {
    logged.length = 0;
    const answer: unknown = await main(event, { activationId: 'a'.repeat(32), getRemainingTimeInMillis: () => leftMs });
    return { answer, text: JSON.stringify(answer), logText: JSON.stringify(logged) };
  };
  return invoke;
}

export interface Seen {
  readonly answer: unknown;
  /** All of the answer, and all that was logged, as JSON. */
  readonly text: string;
  readonly logText: string;
}

/** Which of the secrets stands in a text; undefined: none. */
export function toldSecret(text: string): string | undefined {
  return Object.values(secrets).find((secret) => text.includes(secret));
}
