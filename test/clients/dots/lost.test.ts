import { expect, test } from 'vitest';
import { lostOnTheWay } from './lost.ts';

const REPLY = {
  droplet: { id: 7, created_at: '2026-02-10T12:00:00Z', error: '', kernel: null, networks: { v4: [{ ip_address: '192.0.2.1' }] } },
};
const MODEL = { id: 7, createdAt: new Date('2026-02-10T12:00:00Z'), errorEscaped: '', networks: { v4: [{ ipAddress: '192.0.2.1' }] } };

test('a model that says what the reply said has lost nothing', () => {
  expect(lostOnTheWay(REPLY, { droplet: MODEL })).toEqual([]);
});

test('values of no certain type are looked into', () => {
  const wrapped = (value: unknown) => ({ value, getValue: () => value });
  const model = { values: wrapped([wrapped(1), wrapped('2')]) };
  expect(lostOnTheWay({ values: [1, '2'] }, model)).toEqual([]);
  expect(lostOnTheWay({ values: [1, '3'] }, model)).toEqual(['values[]: changed']);
});

test.each([
  ['nothing at all', undefined, ['droplet: lost']],
  ['a field less', { ...MODEL, id: undefined }, ['droplet.id: lost']],
  ['another value', { ...MODEL, id: 8 }, ['droplet.id: changed']],
  ['another type', { ...MODEL, id: '7' }, ['droplet.id: changed']],
  ['another moment', { ...MODEL, createdAt: new Date(0) }, ['droplet.created_at: changed']],
  ['a shorter list', { ...MODEL, networks: { v4: [] } }, ['droplet.networks.v4: not the same list']],
  ['an item less a field', { ...MODEL, networks: { v4: [{}] } }, ['droplet.networks.v4[].ip_address: lost']],
  [
    'a field beside its own',
    { ...MODEL, networks: undefined, additionalData: REPLY.droplet },
    expect.arrayContaining(['droplet.networks: unknown']),
  ],
])('a model with %s is told', (_what, droplet, told) => {
  expect(lostOnTheWay(REPLY, { droplet })).toEqual(told);
});
