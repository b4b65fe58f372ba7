import { expect, test } from 'vitest';
import type { Rgb } from '../../../../../src/termprog/color/parse-color.ts';
import type { ColorTarget } from '../../../../../src/termprog/engine/engine-host.ts';
import { ApplicationColors } from '../../../../../src/termprog/window/frame/application-colors.ts';
import { OrderedWork } from '../../../../../src/termprog/window/frame/ordered-work.ts';

const rgb = (red: number, green: number, blue: number): Rgb => ({ red, green, blue });
const BLACK = rgb(0, 0, 0);
const WHITE = rgb(255, 255, 255);
const RED = rgb(255, 0, 0);

test('configured colours are reported, and those of the palette beyond the first sixteen', () => {
  const { ask } = start();
  expect((['foreground', 'background', 'cursor', 5, 16, 231, 232] as const).map(ask)).toEqual([
    'rgb:0000/0000/0000',
    'rgb:ffff/ffff/ffff',
    'rgb:0000/0000/0000',
    'rgb:0505/0505/0505',
    'rgb:0000/0000/0000',
    'rgb:ffff/ffff/ffff',
    'rgb:0808/0808/0808',
  ]);
});

test('a changed colour is shown with the next frame, once, and a reset one is configured again', () => {
  const { colors, state } = start();
  expect(colors.takeChange()).toBeUndefined();
  colors.set(3, '#ff0000');
  colors.set('background', '#ff0000');
  expect(state.requests).toBe(1);
  expect(colors.takeChange()).toEqual({ background: RED, entries: new Map([[3, RED]]) });
  expect(colors.takeChange()).toBeUndefined();
  colors.reset(3);
  expect(colors.takeChange()).toEqual({ entries: new Map([[3, rgb(3, 3, 3)]]) });
  colors.resetAll();
  expect(colors.takeChange()).toEqual({ background: WHITE });
});

test('the cursor follows the colour of text until it has one of its own', () => {
  const { colors, ask } = start();
  colors.set('foreground', '#ff0000');
  expect(ask('cursor')).toBe('rgb:ffff/0000/0000');
  expect(colors.takeChange()).toEqual({ foreground: RED });
  colors.set('cursor', '#00ff00');
  expect(colors.takeChange()).toEqual({ cursor: rgb(0, 255, 0) });
  colors.reset('cursor');
  expect(colors.takeChange()).toEqual({ cursor: undefined });
});

test('colours that an application changed stay when the configuration changes', () => {
  const { colors, configured, ask } = start();
  colors.set(1, '#ff0000');
  colors.configure({ ...configured, foreground: WHITE, ansi: configured.ansi.map(() => WHITE) });
  expect([ask(1), ask(2), ask('foreground')]).toEqual([
    'rgb:ffff/0000/0000',
    'rgb:ffff/ffff/ffff',
    'rgb:ffff/ffff/ffff',
  ]);
});

test('answers wait for a colour whose name the server is asked for, and keep their order', async () => {
  const { colors, sent, lookUps } = start();
  colors.set(1, 'red');
  colors.set(2, 'unknown');
  colors.report(1, (color) => `1 ${color}`);
  colors.set(1, '#00ff00');
  colors.report(1, (color) => `2 ${color}`);
  colors.report(2, (color) => `3 ${color}`);
  expect([sent, lookUps.map(({ name }) => name)]).toEqual([[], ['red']]);
  lookUps[0]?.answer(RED);
  await expect.poll(() => lookUps.length).toBe(2);
  lookUps[1]?.answer(undefined);
  await expect.poll(() => sent).toEqual(['1 rgb:ffff/0000/0000', '2 rgb:0000/ffff/0000', '3 rgb:0202/0202/0202']);
});

test('numbers that are not a colour, and what can’t be a name, have no effect', () => {
  const { colors, lookUps } = start();
  colors.set(1, 'rgb:xx');
  expect([colors.takeChange(), lookUps]).toEqual([undefined, []]);
});

test('reversed, text and background stand for each other', () => {
  const { colors, state, ask } = start();
  state.isReversed = true;
  expect([ask('foreground'), ask('background')]).toEqual(['rgb:ffff/ffff/ffff', 'rgb:0000/0000/0000']);
  colors.set('background', '#ff0000');
  expect(colors.takeChange()).toEqual({ foreground: RED });
  expect(ask('background')).toBe('rgb:ffff/0000/0000');
});

test('an application that asked for it learns when dark becomes light, and no other', () => {
  const { colors, state, sent } = start();
  colors.set('background', '#000001');
  colors.set('foreground', '#ffffff');
  state.reportsScheme = true;
  colors.set('foreground', '#eeeeee');
  expect([sent, colors.isDark()]).toEqual([[], true]);
  colors.resetAll();
  colors.set('background', '#000000');
  colors.set('foreground', '#ffffff');
  state.isReversed = true;
  colors.noticeReversal();
  expect(sent).toEqual(['\x1b[?997;2n', '\x1b[?997;1n', '\x1b[?997;2n']);
});

function start() {
  const sent: string[] = [];
  const lookUps: { name: string; answer(color: Rgb | undefined): void }[] = [];
  const state = { isReversed: false, reportsScheme: false, requests: 0 };
  const ansi = Array.from({ length: 16 }, (_, index) => rgb(index, index, index));
  const configured = { foreground: BLACK, background: WHITE, cursor: undefined, ansi };
  const colors = new ApplicationColors({
    configured,
    work: new OrderedWork(),
    isReversed: () => state.isReversed,
    lookUp: (name) => {
      const { promise, resolve } = Promise.withResolvers<Rgb | undefined>();
      lookUps.push({ name, answer: resolve });
      return promise;
    },
    isName: (spec) => !spec.includes(':'),
    request: () => {
      state.requests += 1;
    },
    send: (answer) => sent.push(answer),
    reportsScheme: () => state.reportsScheme,
  });
  const ask = (target: ColorTarget): string | undefined => {
    colors.report(target, (color) => color);
    return sent.pop();
  };
  return { colors, configured, sent, lookUps, state, ask };
}
