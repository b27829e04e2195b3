import { expect, test } from 'vitest';
import { ledger } from './ledger.ts';

test('what was acknowledged has to be there', () => {
  const book = ledger<string>();
  book.intend('a', 'one');
  book.answered('a', true);
  expect(book.settle('a', undefined)).toBe('a: expected "one", found nothing');
});

test('what was refused must not be there', () => {
  const book = ledger<string>();
  book.intend('a', 'one');
  book.answered('a', false);
  expect(book.settle('a', 'one')).toBe('a: expected nothing, found "one"');
});

test('what was never answered may be there, or as it was before, and nothing else', () => {
  const book = ledger<string>();
  book.intend('a', 'one');
  book.answered('a', true);
  book.intend('a', 'two');
  expect(book.settle('a', 'half')).toBe('a: expected "one" or "two", found "half"');
  expect(book.settle('a', 'half')).toBeUndefined();
});
