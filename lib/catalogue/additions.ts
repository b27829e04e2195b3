import { perTool } from './per-tool.ts';
import type { ReadingRules } from './reading/reading.ts';
import type { TextForm } from './reading/text-form.ts';
import type { Schema } from './schema.ts';
import { hintsOf, type Tool } from './tool.ts';

/** An argument that the specification does not have. */
export interface Addition {
  /** Its name; behind a dot that of a member of the argument's objects. */
  readonly argument: string;
  /** The tools that take it: names, `reads` for every tool that changes nothing, `writes` for every other, `follows` for those that can be followed. */
  readonly tools: readonly string[] | 'reads' | 'writes' | 'follows';
  readonly reason: string;
  /** For what no declaration repeats, because the tool never sees it: how it is listed. It is listed so often that it is described once, in the instructions. */
  readonly schema?: Schema;
  /** Listed only with the tools that usually need it; the others take it all the same. */
  readonly listed?: 'destructive';
  /** What its text may be given as besides. */
  readonly text?: TextForm;
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
    tools: 'reads',
    reason: 'list items are summaries and records are long; this asks for whole ones, or for some fields of either',
    schema: { type: 'string' },
    text: 'list',
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
    argument: 'Wait',
    tools: 'follows',
    reason: 'saves the calls that only ask whether an action is over, as long as the function may run',
    schema: { type: 'boolean' },
  },
  {
    argument: 'Confirm',
    tools: 'writes',
    reason: 'carries the token of a confirmation_required, once the person has agreed',
    schema: { type: 'string' },
    listed: 'destructive',
  },
];

/** The arguments that are listed with a tool although its declaration does not name them. */
export function listedWith(tool: Tool): Readonly<Record<string, Schema>> {
  return schemasOf(addedTo(tool).filter(({ listed }) => listed === undefined || hintsOf(tool).destructive));
}

/** The arguments that a tool takes although its declaration does not name them. */
export function acceptedBy(tool: Tool): Readonly<Record<string, Schema>> {
  return schemasOf(addedTo(tool));
}

function schemasOf(added: readonly Addition[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(added.flatMap(({ argument, schema }) => (schema ? [[argument, schema]] : [])));
}

/** What a tool says about the reading of its arguments, and what its added ones say. */
export const readingRulesOf: (tool: Tool) => ReadingRules = perTool((tool) => {
  const added = addedTo(tool).flatMap(({ argument, text }) => (text ? [[argument, text]] : []));
  return added.length === 0 ? tool : { ...tool, texts: { ...tool.texts, ...Object.fromEntries(added) } };
});

function addedTo(tool: Tool): readonly Addition[] {
  const kinds = [hintsOf(tool).readOnly ? 'reads' : 'writes', ...(tool.follow ? ['follows'] : [])];
  return additions.filter(({ tools }) => (typeof tools === 'string' ? kinds.includes(tools) : tools.includes(tool.name)));
}
