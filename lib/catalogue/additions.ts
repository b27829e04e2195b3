/** An argument that the specification does not have. */
export interface Addition {
  readonly argument: string;
  /** The tools that take it: names, or `lists` for every tool that returns a list of records. */
  readonly tools: readonly string[] | 'lists';
  readonly reason: string;
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
];
