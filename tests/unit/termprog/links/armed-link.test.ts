import { expect, test } from 'vitest';
import { ArmedLink } from '../../../../src/termprog/links/armed-link.ts';

const link = { address: 'https://example.org', name: '' };
const at = (column: number, time: number) => ({ row: 0, column, time });

test('a link is opened by the release of its button in its cell, once', () => {
  const armed = new ArmedLink(() => 250);
  armed.press(link, at(1, 1_000), 1);
  expect(armed.release(at(1, 1_100), 3, () => link)).toBeUndefined();
  expect(armed.release(at(1, 1_200), 1, () => link)).toBe(link);
  expect(armed.release(at(1, 1_300), 1, () => link)).toBeUndefined();
});

test('moving on selects text, also on the way back', () => {
  const armed = new ArmedLink(() => 250);
  armed.press(link, at(1, 1_000), 1);
  armed.move(at(2, 1_010));
  armed.move(at(1, 1_020));
  expect(armed.release(at(1, 1_030), 1, () => link)).toBeUndefined();
});

test('a link that output has put in the place of another is not opened', () => {
  for (const now of [undefined, { address: 'https://other.example', name: '' }, { ...link, name: 'other' }]) {
    const armed = new ArmedLink(() => 250);
    armed.press(link, at(1, 1_000), 1);
    expect(armed.release(at(1, 1_100), 1, () => now)).toBeUndefined();
  }
});

test('further clicks of a multiple click open no link, also when the server counts its time anew', () => {
  const armed = new ArmedLink(() => 250);
  const click = (time: number): unknown => {
    armed.press(link, at(1, time), 1);
    return armed.release(at(1, time), 1, () => link);
  };
  expect([click(0xffff_ffff), click(10), click(400)]).toEqual([link, undefined, link]);
});
