import type { Schema } from './schema.ts';
import { hintsOf, type Tool } from './tool.ts';

/** An argument that the specification does not have. */
export interface Addition {
  /** Its name; behind a dot that of a member of the argument's objects. */
  readonly argument: string;
  /** The tools that take it: names, `lists` for every tool that returns a list of records, `writes` for every tool that changes something. */
  readonly tools: readonly string[] | 'lists' | 'writes';
  readonly reason: string;
  /** For what no declaration repeats, because the tool never sees it: how it is listed. It is listed so often that it is described once, in the instructions. */
  readonly schema?: Schema;
}

/** Everything that is added to the specification's arguments. The list is closed: a test holds the declarations to it. */
export const additions: readonly Addition[] = [
  {
    argument: 'Tags',
    tools: ['instance-create'],
    reason: 'nothing else in the specification can make a tagged instance, and the bulk tools act on tags',
  },
  {
    argument: 'SSHKeys',
    tools: ['instance-create'],
    reason: 'an instance without a key can only be entered with a mailed password; key-create has nowhere else to lead',
  },
  {
    argument: 'Fields',
    tools: 'lists',
    reason: 'list items are summaries; this asks for whole records or for other fields',
  },
  {
    argument: 'Fields',
    tools: ['db-cluster-list-options'],
    reason: 'what clusters can be made of is one long record, of which mostly one engine is wanted',
  },
  {
    argument: 'Page',
    tools: ['uptimecheck-alert-list'],
    reason: "the specification's table leaves it out and its examples use it",
  },
  {
    argument: 'PerPage',
    tools: ['uptimecheck-alert-list'],
    reason: "the specification's table leaves it out and its examples use it",
  },
  {
    argument: 'ForwardingRules.CertificateID',
    tools: ['load-balancer-create', 'load-balancer-update', 'load-balancer-add-forwarding-rules', 'load-balancer-remove-forwarding-rules'],
    reason: 'without a certificate a load balancer cannot end TLS, and the specification has tools that make certificates',
  },
  {
    argument: 'RevealSecrets',
    tools: [
      'db-cluster-list',
      'db-cluster-get',
      'db-cluster-create',
      'db-cluster-get-user',
      'db-cluster-list-users',
      'db-cluster-create-user',
      'db-cluster-update-user',
    ],
    reason: 'passwords and private keys stay out of conversations and logs unless a call asks for them',
  },
  {
    argument: 'DryRun',
    tools: 'writes',
    reason: 'shows the request that would be sent, checked, and sends nothing',
    schema: { type: 'boolean' },
  },
  {
    argument: 'Confirm',
    tools: 'writes',
    reason: 'carries the token of a confirmation_required, once the person has agreed',
    schema: { type: 'string' },
  },
];

/** The arguments that are listed with a tool although its declaration does not name them. */
export function listedWith(tool: Tool): Readonly<Record<string, Schema>> {
  const write = !hintsOf(tool).readOnly;
  return Object.fromEntries(
    additions.flatMap(({ argument, tools, schema }) => (write && tools === 'writes' && schema ? [[argument, schema]] : [])),
  );
}
