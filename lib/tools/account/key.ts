import { z } from 'zod';
import { id, paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';

const listKeys = { tool: 'key-list', arguments: {} };
const unknownKey = [{ when: /^404/, next: () => [listKeys] }];

export const keyTools = [
  tool({
    name: 'key-create',
    title: 'Add an SSH key',
    description: 'Adds a public SSH key, to be placed on new instances.',
    input: () =>
      z.object({
        Name: z.string(),
        PublicKey: z.string().describe('Such as ssh-ed25519 AAAA... comment'),
      }),
    route: 'POST /v2/account/keys',
    body: ({ Name, PublicKey }) => ({ name: Name, public_key: PublicKey }),
    returns: 'ssh_key',
    verify: () => listKeys,
  }),
  tool({
    name: 'key-delete',
    title: 'Delete an SSH key',
    description: 'Removes a public SSH key. Instances that carry it keep it.',
    input: () => z.object({ ID: id() }),
    route: 'DELETE /v2/account/keys/{ID}',
    verify: ({ ID }) => ({ tool: 'key-get', arguments: { ID } }),
    recover: unknownKey,
  }),
  tool({
    name: 'key-get',
    title: 'Get an SSH key',
    description: 'One SSH key: name, fingerprint and public key.',
    input: () => z.object({ ID: id() }),
    route: 'GET /v2/account/keys/{ID}',
    returns: 'ssh_key',
    recover: unknownKey,
  }),
  tool({
    name: 'key-list',
    title: 'List SSH keys',
    description: 'All SSH keys.',
    input: () => z.object(paging(30)),
    route: 'GET /v2/account/keys',
    returns: 'ssh_keys',
    summary: ['id', 'name', 'fingerprint'],
  }),
];
