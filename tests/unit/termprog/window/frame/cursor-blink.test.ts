import { expect, test } from 'vitest';
import { cursorBlinks, takesBlinkRequests } from '../../../../../src/termprog/window/frame/cursor-blink.ts';
import { optionsWith } from '../../options/options-with.ts';

for (const [cursorBlink, cursorBlinkXOR, unasked, asked] of [
  ['false', 'true', false, true],
  ['true', 'true', true, false],
  ['false', 'false', false, true],
  ['true', 'false', true, true],
  ['always', 'true', true, true],
  ['always', 'false', true, true],
  ['never', 'true', false, false],
  ['never', 'false', false, false],
] as const) {
  test(`cursorBlink ${cursorBlink} with cursorBlinkXOR ${cursorBlinkXOR}`, () => {
    const options = optionsWith({ cursorBlink, cursorBlinkXOR });
    expect([cursorBlinks(options, false), cursorBlinks(options, true)]).toEqual([unasked, asked]);
    expect(takesBlinkRequests(options)).toBe(cursorBlink === 'true' || cursorBlink === 'false');
  });
}
