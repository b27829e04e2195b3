/** What a client tells its model about this server before any tool is called. */
export const instructions = [
  "Deckhand operates a cloud account through the platform's own API: account and billing, compute instances, images and sizes.",
  'Ids are integers; sizes, regions and images also have slugs. Look ids up with the list tools before you act on them.',
  'Lists return {items, page, perPage, total, nextPage} with summaries; Fields: "*" returns whole records. Ask for nextPage until it is null.',
  'Actions on instances and images run in the background: the result carries the action; read it with instance-action or image-action-get until it is completed. One action at a time per instance.',
  'A failure is a result with isError: its error has a code, a message, what was wrong with each argument, and in `next` the calls that lead out. After outcome_unknown look before you repeat.',
].join('\n');
