import { json, scriptedPlatform } from '../../support/platform.ts';

export const secret = 'canary-secret';

/** A hooks.yml of one hook with these rules. */
export const hook = (rules: string, { verify = 'github', more = '' } = {}) => `hooks:
  target:
    verify: ${verify}
    secret: env:SECRET
    caller: ci
    dedupe: memory
${more}    on:
${rules
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
`;

/** One whose deliveries each make a key. */
export const makeKey = hook('- run: [{ tool: key-create, with: { Name: "=body.name", PublicKey: "ssh-ed25519 AAAA" } }]');

/** A platform that makes keys. */
export const keyMaker = () =>
  scriptedPlatform((response, _, attempt) => json(response, 201, { ssh_key: { id: attempt, name: 'n', public_key: 'ssh-ed25519 AAAA' } }));
