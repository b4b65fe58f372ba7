import { expect, test } from 'vitest';
import { setVtFont } from '../../../../src/termprog/actions/font-choice.ts';
import type { ActionEvent } from '../../../../src/termprog/ports/action-event.ts';

const EVENT: ActionEvent = { kind: 'other', keysym: 0, keycode: 0, button: 0, state: 0, x: 0, y: 0, time: 0 };

/** Returns the entries that were chosen, and `bell` for each ring. */
function told(...parameters: string[]): (number | 'bell')[] {
  const heard: (number | 'bell')[] = [];
  const fonts = {
    slot: 0,
    isOutline: false,
    select: (slot: number) => void heard.push(slot),
    larger: () => {},
    smaller: () => {},
    setOutline: () => {},
  };
  setVtFont.run({ fonts, bell: { ring: () => void heard.push('bell') } }, EVENT, parameters);
  return heard;
}

test('d is the entry Default, and a digit one of those behind it', () => {
  expect([told('d'), told('D'), told('1'), told('7')]).toEqual([[0], [0], [1], [7]]);
});

test('anything else rings the bell', () => {
  for (const parameters of [[], ['0'], ['8'], ['e'], ['d', 'x']]) expect(told(...parameters)).toEqual(['bell']);
});
