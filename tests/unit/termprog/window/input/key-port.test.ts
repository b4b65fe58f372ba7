import { expect, test } from 'vitest';
import { createKeyPort } from '../../../../../src/termprog/window/input/key-port.ts';
import { createTextInput } from '../../../../../src/termprog/window/input/text-routing.ts';
import { recordedKeymap } from '../../../../harness/recorded-keyboard.ts';
import { startEngine } from '../../../../harness/terminal-engine.ts';
import { optionsWith } from '../../options/options-with.ts';

const A = 38;

test('a locked keyboard sends neither keys nor texts', () => {
  const { press, text, output, sent } = keyboard();
  output('\x1b[2h');
  press(A);
  text.send('é');
  output('\x1b[2l');
  press(A);
  text.send('é');
  expect(sent).toEqual(['a', 'é']);
});

test('scrolling sends at most a thousand cursor keys, on the alternate screen alone, and none while keys are locked', () => {
  const { port, output, sent } = keyboard();
  expect(port.scrollByKeys(5)).toBe(false);
  output('\x1b[?1049h');
  expect(port.scrollByKeys(Number.MAX_SAFE_INTEGER)).toBe(true);
  output('\x1b[?1h\x1b[>1u');
  expect(port.scrollByKeys(-2)).toBe(true);
  output('\x1b[2h');
  expect(port.scrollByKeys(2)).toBe(true);
  expect(sent).toEqual(['\x1b[A'.repeat(1000), '\x1b[B'.repeat(2)]);
});

test('keys and texts scroll to the screen when scrollKey is set, keys without output do not', () => {
  const { press, text, told } = keyboard({ scrollKey: 'true' });
  press(50);
  expect(told.toBottom).toBe(0);
  press(A);
  text.send('é');
  expect(told.toBottom).toBe(2);
});

test('a key that is pressed again while it is down repeats, also where servers release it in between', () => {
  const { press, release, output, sent } = keyboard();
  output('\x1b[>11u');
  press(A, { time: 1 });
  press(A, { time: 5 });
  release(A, { time: 9 });
  press(A, { time: 9 });
  release(A, { time: 12 });
  press(A, { time: 20 });
  expect(sent.map((text) => text.replace('\x1b[97', ''))).toEqual(['u', ';1:2u', ';1:3u', ';1:2u', ';1:3u', 'u']);
});

test('a key whose press was not sent is not reported as released', () => {
  const { release, output, sent } = keyboard();
  output('\x1b[>11u');
  release(A);
  expect(sent).toEqual([]);
});

test('texts go to the newest target, and to the application when none is left', () => {
  const { text, sent } = keyboard();
  const taken: string[] = [];
  const target = (row: number, take: (typed: string) => void) => ({
    takeText: take,
    place: () => ({ row, column: 0 }),
  });
  const end = text.take(target(1, (typed) => taken.push(typed)));
  const endSecond = text.take(target(2, (typed) => taken.push(typed.toUpperCase())));
  text.send('a');
  expect(text.place()).toEqual({ row: 2, column: 0 });
  endSecond();
  text.send('b');
  expect(text.place()).toEqual({ row: 1, column: 0 });
  end();
  text.send('c');
  expect(text.place()).toBeUndefined();
  expect([taken, sent]).toEqual([['A', 'b'], ['c']]);
});

function keyboard({ scrollKey = 'false' } = {}) {
  const { engine } = startEngine();
  const sent: string[] = [];
  const told = { toBottom: 0 };
  const keymap = recordedKeymap('us');
  const parts = {
    keymap: () => keymap,
    keyboard: engine,
    modes: engine.modes,
    options: optionsWith({ scrollKey }),
    viewport: {
      toBottom: () => {
        told.toBottom += 1;
      },
    },
    send: (text: string) => void sent.push(text),
  };
  const port = createKeyPort(parts);
  return {
    port,
    told,
    sent,
    text: createTextInput(parts),
    output: (text: string) => engine.write(Buffer.from(text)),
    press: (keycode: number, { state = 0, time = 1 } = {}) =>
      port.sendKey({ kind: 'key', keysym: keymap.keysym(keycode, state), keycode, button: 0, state, x: 0, y: 0, time }),
    release: (keycode: number, { state = 0, time = 2 } = {}) => port.releaseKey({ keycode, state, time }),
  };
}
