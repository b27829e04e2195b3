import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

/** Puts a function on the host that a namespace names, with the namespace's own key. */
async function deploy({ apiHost, uuid, key }: Json, name: string): Promise<void> {
  const code = 'exports.main = () => ({ body: "ahoy" })';
  const response = await fetch(`${apiHost}/api/v1/namespaces/_/actions/${name}`, {
    method: 'PUT',
    headers: { authorization: `Basic ${btoa(`${uuid}:${key}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ exec: { kind: 'nodejs:24', code } }),
  });
  expect(response.status).toBe(200);
}

export function functionStories(enter: Enter): void {
  it('keeps a namespace of functions, with its keys', async () => {
    const { namespaces } = (await enter()).v2.functions;
    const { namespace } = await namespaces.post({ label: 'harbour', region: 'nyc1' });
    expect(namespace).toMatchObject({
      label: 'harbour',
      region: 'nyc1',
      namespace: expect.stringMatching(/^fn-/),
      key: expect.any(String),
    });
    expect((await namespaces.get()).namespaces).toContainEqual(namespace);
    const home = namespaces.byNamespace_id(namespace.namespace);
    expect((await home.get()).namespace).toEqual(namespace);
    const { accessKey } = await home.keys.post({ name: 'ci', expiresIn: '7d' });
    expect(accessKey).toMatchObject({ name: 'ci', secret: expect.stringContaining(accessKey.id), expiresAt: expect.any(Date) });
    expect((await home.keys.byKey_id(accessKey.id).put({ name: 'build' })).accessKey).toMatchObject({ id: accessKey.id, name: 'build' });
    expect((await home.keys.get()).accessKeys.map(({ name }: Json) => name)).toEqual(['build']);
    await home.keys.byKey_id(accessKey.id).delete();
    expect((await home.keys.get()).count).toBe(0);
    await home.delete();
    expect(await refusal(home.get())).toEqual({ status: 404, id: 'not_found', message: 'namespace not found' });
  });

  it('calls a function by the clock', async () => {
    const { namespaces } = (await enter()).v2.functions;
    const { namespace } = await namespaces.post({ label: 'watch', region: 'nyc1' });
    const { triggers } = namespaces.byNamespace_id(namespace.namespace);
    const order = {
      name: 'bell',
      functionEscaped: 'hello',
      type: 'SCHEDULED',
      isEnabled: true,
      scheduledDetails: { cron: '*/30 * * * *' },
    };
    expect(await refusal(triggers.post(order))).toMatchObject({ status: 404, id: 'not_found' });
    await deploy(namespace, 'hello');
    const { trigger } = await triggers.post(order);
    expect(trigger).toMatchObject({ name: 'bell', functionEscaped: 'hello', isEnabled: true, namespace: namespace.namespace });
    expect(Date.parse(trigger.scheduledRuns.nextRunAt)).toBeGreaterThan(Date.now());
    expect((await triggers.get()).triggers).toEqual([trigger]);
    const bell = triggers.byTrigger_name('bell');
    const changed = await bell.put({ isEnabled: false, scheduledDetails: { cron: '0 12 * * *' } });
    expect(changed.trigger).toMatchObject({ isEnabled: false, scheduledDetails: { cron: '0 12 * * *' } });
    expect((await bell.get()).trigger).toEqual(changed.trigger);
    await bell.delete();
    expect(await refusal(bell.get())).toMatchObject({ status: 404, message: 'trigger not found' });
  });
}
