/** What a client tells its model about this server before any tool is called. */
export const instructions = [
  "Deckhand operates a cloud account through the platform's own API: account and billing, compute instances, images and sizes, uptime checks and alert policies, managed databases, domains and certificates, firewalls and load balancers, VPCs and reserved IPs.",
  'Ids of instances, images, actions, keys and DNS records are integers, all others UUIDs; sizes, regions and images also have slugs. Look ids up with the list tools before you act on them.',
  'Lists return {items, page, perPage, total, nextPage} with summaries; ask for nextPage until it is null. Fields: "*" returns whole records, "name,region.slug" some fields, of a single record too. A result that would be too long says so in `truncated`, and `next` has the call for the rest.',
  'Actions on instances and images run in the background: the result carries the action; read it with instance-action or image-action-get until it is completed. Wherever a call takes Wait, true has it answered when what it started is over, or with `next` where that takes longer. One action at a time per instance.',
  'New clusters, load balancers, certificates, peerings and prefixes need minutes; wait for them, or read them until their status says so before you build on them.',
  'Updates keep what is left out, but a list that is given replaces the whole list. Passwords and private keys are hidden; set RevealSecrets: true only when they are needed.',
  'DryRun: true on anything that changes something shows the request and sends nothing. After confirmation_required put its message to the person; only once they have agreed call again with the same arguments and Confirm set to its token.',
  'A failure is a result with isError: its error has a code, a message, what was wrong with each argument, and in `next` the calls that lead out. After outcome_unknown look before you repeat.',
].join('\n');
