import { disputed, type Known } from '../known.ts';

const BESIDE = 'an example of the document has it, its schema does not: the client was generated from that';

/** What the client's models keep beside their fields, and what else becomes of replies on the way into them. */
export const knownLosses: readonly Known[] = [
  { what: /^account\.(reserved_ip_limit|volume_limit): unknown$/, why: 'newer accounts have more limits than the document' },
  { what: /^links\.pages\.(next|last): unknown$/, why: "the document's pages are any of several forms, and the client reads none" },
  { what: /^tags?(\[\])?\.resources\.images: unknown$/, why: 'the document has misspelt images in the schema, and not in its example' },
  { what: /^backups\[\]\.(distribution|slug|public): unknown$/, why: BESIDE },
  {
    what: /^snapshots\[\]\.(distribution|slug|public): unknown$/,
    why: "the emulator shows a droplet's snapshots in the form of its backups",
  },
  { what: /^options\.\w+\.default_version: unknown$/, why: BESIDE },
  { what: /^version_availability\.\w+\[\]\.default: unknown$/, why: BESIDE },
  { what: /^reserved_ipv6\.droplet: unknown$/, why: BESIDE },
  { what: /^topic\.config\.(message_timestamp_difference_max_ms|segment_index_bytes): unknown$/, why: BESIDE },
  { what: /^topic\.partition_count: unknown$/, why: 'a topic tells its number of partitions in a list, and the emulator everywhere' },
  {
    what: /^data\.result\[\]\.metric\.\w+: unknown$/,
    why: 'the labels of a metric are any names: the client keeps them beside its fields',
  },
  { what: /^action: unknown$/, why: "the document takes an image's action for a bare one; the platform wraps it" },
  { what: /^byoip_prefix: unknown$/, why: 'the document takes a new prefix for a bare one; the platform wraps it' },
  {
    what: /^config\.[a-z_.]+: unknown$/,
    why: "the client reads the settings of every engine as Kafka's, the first of the document's choices",
  },
];

/** What the document has against the client's requests, and against the replies to them. */
export const knownProblems: readonly Known[] = [
  ...disputed,
  {
    what: /^(GET|POST|PUT|DELETE) \/v2\/functions\/namespaces\/fn-[0-9a-f-]+\/keys(\/\w+)?: not in the document$/,
    why: 'the client was generated from a newer document, which has the keys of namespaces',
  },
  {
    what: /^POST \/v2\/droplets\/\{droplet_id\}\/actions: \/(type must be equal to one of the allowed values| must match a schema in anyOf)$/,
    why: "change_backup_policy has a schema of its own in the document, which forgets it in the action's types",
  },
  {
    what: /^(POST \/v2\/load_balancers|GET \/v2\/load_balancers\/\{lb_id\}): (\/ must (have required property|match a schema)|load_balancer\.(region|vpc_uuid) is missing)/,
    why: 'the document asks every load balancer for a region and droplets, and a global one has neither',
  },
];
