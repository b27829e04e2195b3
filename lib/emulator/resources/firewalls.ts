import { emptySource, listReply } from '../paging.ts';
import { knownDroplet } from './droplets/droplets.ts';
import { type Family, route } from './family.ts';

/** Firewalls of a droplet: it is in none. Source: operation droplets_list_firewalls. */
export const firewallFamily: Family = {
  routes: [
    route('GET /v2/droplets/{droplet}/firewalls', {}, (request, account) => {
      knownDroplet(account, request.params.droplet);
      return listReply(request, 'firewalls', emptySource);
    }),
  ],
};
