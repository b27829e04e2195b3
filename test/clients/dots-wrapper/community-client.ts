import { createApiClient } from 'dots-wrapper';
import type { StoryAccount } from '../stage.ts';

export type CommunityClient = ReturnType<typeof createApiClient>;

/** An account with the community's client for it. */
export interface CommunityAccount {
  readonly client: CommunityClient;
  readonly later: StoryAccount['later'];
}

/** Gives each story an account of its own. */
export type Enter = () => Promise<CommunityAccount>;

/** The community's client for a story's account. */
export function communityClient(account: StoryAccount): CommunityAccount {
  return { client: createApiClient({ endpoint: `${account.url}/v2`, token: account.token }), later: account.later };
}
