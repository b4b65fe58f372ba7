import { expect, test } from 'vitest';
import { setRenderFont } from '../../../../src/termprog/actions/font-choice.ts';
import type { FontPort } from '../../../../src/termprog/ports/appearance.ts';

const ANY_KEY = { kind: 'key', keysym: 0, keycode: 0, button: 0, state: 0, x: 0, y: 0, time: 0 } as const;

/** Returns what the action does with a parameter, while outline fonts draw or not. */
function run(isOutline: boolean, ...parameters: string[]): string[] {
  const done: string[] = [];
  const fonts: FontPort = {
    slot: 0,
    isOutline,
    select: () => {},
    larger: () => {},
    smaller: () => {},
    setOutline: (wanted) => done.push(wanted ? 'outline' : 'bitmap'),
  };
  const bell = { ring: () => done.push('bell') };
  setRenderFont.run({ fonts, bell }, ANY_KEY, parameters);
  return done;
}

test('on, off and toggle choose the renderer', () => {
  expect([run(false, 'on'), run(true, 'off'), run(false, 'toggle'), run(true)]).toEqual([
    ['outline'],
    ['bitmap'],
    ['outline'],
    ['bitmap'],
  ]);
});

test('the renderer in use, and anything else, ring the bell', () => {
  for (const done of [run(true, 'on'), run(false, 'off'), run(false, 'yes'), run(true, 'on', 'off')]) {
    expect(done).toEqual(['bell']);
  }
});
