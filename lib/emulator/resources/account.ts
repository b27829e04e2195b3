import { type Family, route } from './family.ts';

/** The account itself. Source: operation account_get. */
export const accountFamily: Family = {
  routes: [route('GET /v2/account', {}, (_request, account) => `{"account":${account.setting('account') ?? '{}'}}`)],
};

/** What GET /v2/account shows; stored as the setting `account`. */
export interface AccountRecord {
  readonly droplet_limit: number;
  readonly floating_ip_limit: number;
  readonly reserved_ip_limit: number;
  readonly volume_limit: number;
  readonly email: string;
  readonly name: string;
  readonly uuid: string;
  readonly email_verified: boolean;
  readonly status: 'active' | 'warning' | 'locked';
  readonly status_message: string;
  readonly team: { readonly uuid: string; readonly name: string };
}
