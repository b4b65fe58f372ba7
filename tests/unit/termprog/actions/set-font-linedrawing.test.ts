import { expect, test } from 'vitest';
import { setFontLinedrawing } from '../../../../src/termprog/actions/font-choice.ts';
import { optionsWith } from '../options/options-with.ts';

const ANY_KEY = { kind: 'key', keysym: 0, keycode: 0, button: 0, state: 0, x: 0, y: 0, time: 0 } as const;

/** Calls the action and returns the state after it. */
function call(before: string, ...parameters: string[]): { isForced: boolean; rings: number } {
  const options = optionsWith({ forceBoxChars: before });
  let rings = 0;
  const bell = {
    ring: () => {
      rings += 1;
    },
  };
  setFontLinedrawing.run({ options, bell }, ANY_KEY, parameters);
  return { isForced: options.get('forceBoxChars'), rings };
}

test('changes whether procedural glyphs are forced', () => {
  expect(call('false')).toEqual({ isForced: true, rings: 0 });
  expect(call('true', 'Toggle')).toEqual({ isForced: false, rings: 0 });
  expect(call('false', 'ON')).toEqual({ isForced: true, rings: 0 });
  expect(call('true', 'off')).toEqual({ isForced: false, rings: 0 });
});

test('rings the bell for the state in effect and for other words', () => {
  expect(call('true', 'on')).toEqual({ isForced: true, rings: 1 });
  expect(call('false', 'off')).toEqual({ isForced: false, rings: 1 });
  expect(call('false', 'yes')).toEqual({ isForced: false, rings: 1 });
});
