import { json, scriptedPlatform } from '../../support/platform.ts';

export const secret = 'canary-secret';

/** A hooks.yml of one hook with these rules. */
export const hook = (rules: string, { verify = 'github', dedupe = '    dedupe: memory\n', more = '' } = {}) => `hooks:
  target:
    verify: ${verify}
    secret: env:SECRET
    caller: ci
${dedupe}${more}    on:
${rules
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
`;

const keyRule = '- run: [{ tool: key-create, with: { Name: "=body.name", PublicKey: "ssh-ed25519 AAAA" } }]';

/** One whose deliveries each make a key. */
export const makeKey = hook(keyRule);

/** The same, which takes none without a store. */
export const makeKeyByStore = hook(keyRule, { dedupe: '' });

/** A platform that makes keys. */
export const keyMaker = () =>
  scriptedPlatform((response, _, attempt) => json(response, 201, { ssh_key: { id: attempt, name: 'n', public_key: 'ssh-ed25519 AAAA' } }));
