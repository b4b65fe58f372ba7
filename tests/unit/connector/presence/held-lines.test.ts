import { expect, test } from 'vitest';
import { HeldLines } from '../../../../src/connector/presence/held-lines.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const texts = (lines: readonly { line: { text: string } }[]) => lines.map(({ line: { text } }) => text);

test('a page decides about the held lines of its own milliseconds, and the last page about all that follow', () => {
  const held = new HeldLines();
  held.add([line('before', 9), line('first', 10), line('later', 20), line('elsewhere', 10, '#Ops')]);

  const page = held.settledBy('#room', 10, 20);
  const last = held.settledBy('#room', 10, undefined);

  expect([texts(page.early), texts(page.covered)]).toEqual([['before'], ['first']]);
  expect(texts(last.covered)).toEqual(['first', 'later']);
});

test('stored lines are not held any more', () => {
  const held = new HeldLines();
  held.add([line('one', 1), line('two', 2), line('elsewhere', 1, '#Ops')]);

  held.drop(held.settledBy('#room', 0, 2).covered);

  expect(texts(held.of())).toEqual(['two', 'elsewhere']);
  expect(texts(held.of('#Ops'))).toEqual(['elsewhere']);
});

test('no more than 5,000 lines are held', () => {
  const held = new HeldLines();
  held.add(Array.from({ length: 4_999 }, (_, n) => line(String(n), n)));
  expect(held.isFull).toBe(false);

  held.add([line('one more', 1)]);

  expect(held.isFull).toBe(true);
});

test('no more than 500 lines of the account’s own nick are held: each takes several statements in the transaction of a page', () => {
  const held = new HeldLines();
  const own = (count: number, isNick: boolean) =>
    Array.from({ length: count }, () => ({ ...line('own', 1), own: { tag: undefined, isNick, isJoin: isNick } }));
  held.add([...own(499, true), ...own(1_000, false)]);
  expect(held.isFull).toBe(false);

  held.add(own(1, true));

  expect(held.isFull).toBe(true);
});

function line(text: string, serverAt: number, channel?: string) {
  return {
    line: capturedLine(text, serverAt, channel),
    own: undefined,
  };
}
