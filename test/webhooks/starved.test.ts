import { expect, it } from 'vitest';
import { startInstance } from './support/instances.ts';
import { hook, keyMaker, secret } from './support/key-hook.ts';
import { settings, signed } from './support/sender.ts';

// Windows has no signal that stops a process.
it.skipIf(process.platform === 'win32')(
  'a delivery is not given up for the time that others had the processor',
  async () => {
    using instance = await startInstance();
    const platform = await keyMaker();
    const rules = `- when: $sum([1..800].($ * 2)) = 640800
  run: [{ tool: key-create, with: { Name: "=$uppercase(body.name)", PublicKey: "ssh-ed25519 AAAA" } }]`;
    const body = '{"name":"ship"}';
    const order = { text: hook(rules), environment: settings(platform.url), headers: signed.github(body, secret), body, ids: ['one'] };
    expect(await instance.takeStarved(order)).toEqual({ '200 done': 1 });
    expect(platform.arrived.map((request) => JSON.parse(request.body).name)).toEqual(['SHIP']);
  },
  120_000,
);
