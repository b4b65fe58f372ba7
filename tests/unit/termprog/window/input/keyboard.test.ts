import { afterEach, expect, test, vi } from 'vitest';
import { CoreKeymap } from '../../../../../src/termprog/input/core-keymap.ts';
import type { Keymap } from '../../../../../src/termprog/input/keymap.ts';
import { InputPipeline } from '../../../../../src/termprog/window/input/input-pipeline.ts';
import { Keyboard } from '../../../../../src/termprog/window/input/keyboard.ts';
import { event } from '../events.ts';

afterEach(() => void vi.useRealTimers());

const meaning = (keysym: number): Keymap => new CoreKeymap([[keysym]], 10, []);

test('keys wait for the first mapping, which may come after the window is shown', async () => {
  const { keyboard, delivered, press } = start();
  const first = Promise.withResolvers<Keymap>();
  keyboard.start(first.promise);
  press();
  first.resolve(meaning(97));
  await expect.poll(() => delivered).toEqual([97]);
});

test('keys pressed after a change of the mapping are of the new one', async () => {
  const { keyboard, delivered, answers, press, changeMapping } = start();
  keyboard.start(Promise.resolve(meaning(97)));
  await expect.poll(() => keyboard.keymap.keysym(10, 0)).toBe(97);
  press();
  changeMapping();
  press();
  expect(delivered).toEqual([97]);

  answers[0]?.(meaning(98));

  await expect.poll(() => delivered).toEqual([97, 98]);
});

test('many changes in a row are fetched twice, and the last one counts', async () => {
  const { delivered, answers, press, changeMapping } = start();
  for (let change = 0; change < 100; change += 1) changeMapping();
  press();
  answers[0]?.(meaning(97));
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.(meaning(98));
  await expect.poll(() => delivered).toEqual([98]);
  expect(answers).toHaveLength(2);
});

test('a change of the pointer’s buttons fetches no keyboard', () => {
  const { answers, changeMapping } = start();
  changeMapping(2);
  expect(answers).toEqual([]);
});

test('changes without an end hold a key for two answers, and have one question under way', async () => {
  const { delivered, answers, press, changeMapping } = start();
  for (let load = 0; load < 10; load += 1) {
    changeMapping();
    changeMapping();
    press();
    expect(answers).toHaveLength(load + 1);
    answers[load]?.(meaning(97 + load));
    await expect.poll(() => answers).toHaveLength(load + 2);
  }

  // Each key is of the mapping that was requested after its press.
  await expect.poll(() => delivered).toEqual(Array.from({ length: 9 }, (_, index) => 98 + index));
});

test('a mapping that comes late is still used', async () => {
  vi.useFakeTimers();
  const { delivered, answers, press, changeMapping } = start();
  changeMapping();
  press();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(delivered).toHaveLength(1);
  answers[0]?.(meaning(98));
  await vi.advanceTimersByTimeAsync(0);
  press();
  expect(delivered.at(-1)).toBe(98);
});

test('a mapping that could not be fetched is asked for again with the next key, which waits for it', async () => {
  const { keyboard, delivered, answers, press, changeMapping } = start();
  keyboard.start(Promise.resolve(meaning(97)));
  changeMapping();
  press();
  answers[0]?.(Promise.reject(new Error('refused')));
  await expect.poll(() => delivered).toEqual([97]);
  press();
  press();
  expect(answers).toHaveLength(2);
  answers[1]?.(meaning(98));
  await expect.poll(() => delivered).toEqual([97, 98, 98]);
  expect(answers).toHaveLength(2);
});

/** A server that answers when the test says so; keys are delivered as the keysyms they mean. */
function start() {
  const delivered: number[] = [];
  const answers: ((keymap: Keymap | Promise<Keymap>) => void)[] = [];
  const pipeline = new InputPipeline({
    filters: [],
    deliver: ({ keycode }) => delivered.push(keyboard.keymap.keysym(keycode, 0)),
    warn: () => {},
  });
  const load = (): Promise<Keymap> => new Promise((resolve) => answers.push(resolve));
  const keyboard = new Keyboard({ load, pipeline });
  const press = (): void => {
    pipeline.take(event('KeyPress', { keycode: 10 }));
  };
  const changeMapping = (request = 1): void =>
    keyboard.handlers['MappingNotify']?.(event('MappingNotify', { request }));
  return { keyboard, delivered, answers, press, changeMapping };
}
