import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hintsOf, tool } from '../../lib/catalogue/tool.ts';

const declared = {
  name: 'thing-edit',
  title: 'Edit a thing',
  description: 'Edits a thing.',
  input: () => z.object({ ID: z.int(), Name: z.string() }),
} as const;

// The compiler is what tests these: each would be an error of its own were the declaration taken.
const mistakes = () => [
  // @ts-expect-error a placeholder that is no argument
  tool({ ...declared, route: 'PUT /v2/things/{Id}' }),
  // @ts-expect-error a method that is none
  tool({ ...declared, route: 'FETCH /v2/things/{ID}' }),
  // @ts-expect-error a path that is not the platform's
  tool({ ...declared, route: 'PUT things/{ID}' }),
  // @ts-expect-error an argument that was not declared
  tool({ ...declared, route: 'PUT /v2/things/{ID}', body: ({ Colour }) => ({ colour: Colour }) }),
  // @ts-expect-error neither a route nor a way to run
  tool({ ...declared }),
];

describe('declaring a tool', () => {
  it('takes a route whose placeholders are arguments, and mistakes for errors of the compiler', () => {
    const edit = tool({ ...declared, route: 'PUT /v2/things/{ID}', body: ({ Name }) => ({ name: Name }) });
    expect(edit.name).toBe('thing-edit');
    expect(mistakes).toBeTypeOf('function');
  });

  it.each([
    ['GET /v2/things', { readOnly: true, destructive: false, idempotent: true }],
    ['POST /v2/things', { readOnly: false, destructive: false, idempotent: false }],
    ['PUT /v2/things', { readOnly: false, destructive: false, idempotent: true }],
    ['PATCH /v2/things', { readOnly: false, destructive: false, idempotent: false }],
    ['DELETE /v2/things', { readOnly: false, destructive: true, idempotent: true }],
  ] as const)('derives from %s what a client may assume', (route, hints) => {
    expect(hintsOf(tool({ ...declared, route }))).toEqual(hints);
  });

  it('lets a declaration correct it', () => {
    expect(hintsOf(tool({ ...declared, route: 'POST /v2/things', hints: { idempotent: true } })).idempotent).toBe(true);
  });
});
