import { expect, test } from 'vitest';
import { ClickCounter } from '../../../../src/termprog/selection/marking/click-counter.ts';

const FIRST = { button: 1, time: 1_000, row: 3, column: 5 };

/** The count of a second press, after a release of the first at 1050. */
function second(change: Partial<typeof FIRST>, limitMs = 250, released: Partial<typeof FIRST> = {}): number {
  const clicks = new ClickCounter();
  expect(clicks.press(FIRST, limitMs)).toBe(1);
  clicks.release({ ...FIRST, time: 1_050, ...released });
  return clicks.press({ ...FIRST, time: 1_100, ...change }, limitMs);
}

test('a press of the same button counts on, near and soon after the last release', () => {
  expect(second({})).toBe(2);
  expect(second({ time: 1_300, column: 6 })).toBe(2);
  expect(second({ time: 1_301 })).toBe(1);
  expect(second({ button: 3 })).toBe(1);
  expect(second({ column: 7 })).toBe(1);
  expect(second({ row: 4 })).toBe(1);
  expect(second({ time: 1_051 }, 0)).toBe(1);
});

test('the time of the server may begin anew between two clicks', () => {
  const clicks = new ClickCounter();
  clicks.press({ ...FIRST, time: 0xffff_ff00 }, 250);
  clicks.release({ ...FIRST, time: 0xffff_fff0 });
  expect(clicks.press({ ...FIRST, time: 20 }, 250)).toBe(2);
});

test('a drag is not a click', () => {
  expect(second({}, 250, { column: 9 })).toBe(1);
});

test('a press without the release of the one before is a first one', () => {
  const clicks = new ClickCounter();
  clicks.press(FIRST, 250);
  expect(clicks.press({ ...FIRST, time: 1_001 }, 250)).toBe(1);
});
