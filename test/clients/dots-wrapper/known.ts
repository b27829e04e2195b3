import { disputed, type Known } from '../known.ts';

const LACKS = 'the client has nothing for it';

/** Operations that the client can not drive. */
export const absent: readonly Known[] = [
  { what: /^(GET|PATCH) \/v2\/databases\/\{database_cluster_uuid\}\/config$/, why: LACKS },
  { what: /^GET \/v2\/databases\/\{database_cluster_uuid\}\/ca$/, why: LACKS },
  { what: /^PUT \/v2\/databases\/\{database_cluster_uuid\}\/(upgrade|users\/\{username\})$/, why: LACKS },
  { what: /^[A-Z]+ \/v2\/databases\/\{database_cluster_uuid\}\/(online-migration|topics)(\/|$)/, why: LACKS },
  { what: /^GET \/v2\/droplets\/\{droplet_id\}\/(backups\/policy|firewalls)$/, why: LACKS },
  { what: /^DELETE \/v2\/load_balancers\/\{lb_id\}\/cache$/, why: LACKS },
  { what: /^GET \/v2\/monitoring\/metrics\/(load_balancer|database|droplet\/(filesystem_\w+|load_\d+|memory_cached)$)/, why: LACKS },
  { what: /^[A-Z]+ \/v2\/(vpc_peerings|byoip_prefixes|reserved_ipv6|monitoring\/alerts|uptime\/checks)(\/|$)/, why: LACKS },
  { what: /^[A-Z]+ \/v2\/reserved_ips(\/|$)/, why: 'the client knows them by their former name, floating IPs, and its paths' },
  { what: /^[A-Z]+ \/v2\/functions\/namespaces(\/|$)/, why: LACKS },
  { what: /^PUT \/v2\/images\/\{image_id\}$/, why: 'the client posts it' },
];

/** What the document has against the client's requests, and against the replies to them. */
export const knownProblems: readonly Known[] = [
  ...disputed,
  { what: /^POST \/v2\/images\/\d+: not in the document$/, why: 'the client posts what is to be put' },
  {
    what: /^GET \/v2\/(databases(\/\{database_cluster_uuid\}\/(firewall|backups|users))?|droplets\/\{droplet_id\}\/neighbors): query (page|per_page): not in the document$/,
    why: 'the client pages every list, also those that the platform does not',
  },
];
