import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { WireEvent } from 'x11';
import { type InputFilter, InputPipeline } from '../../../../../src/termprog/window/input/input-pipeline.ts';
import { event } from '../events.ts';

afterEach(() => void vi.useRealTimers());

const key = (keycode: number): WireEvent => event('KeyPress', { keycode });

test('without a filter that takes its time a key is through at once', () => {
  const { pipeline, delivered } = start([{ name: 'compose', filter: () => false }]);
  pipeline.take(key(1));
  expect(delivered).toEqual([1]);
});

test('events pass by the filters that ignore them or are not open', () => {
  const seen: string[] = [];
  const looking = (name: string, more: Partial<InputFilter>): InputFilter => ({
    name,
    ...more,
    filter: (found) => {
      seen.push(`${name} ${found.name}`);
      return false;
    },
  });
  let isOpen = false;
  const search = looking('search', {});
  Object.defineProperty(search, 'isIdle', { get: () => !isOpen });
  const { pipeline, delivered } = start([looking('compose', { events: ['KeyPress'] }), search]);
  pipeline.take(key(1));
  pipeline.take(event('ButtonPress', { keycode: 2 }));
  expect(seen).toEqual(['compose KeyPress']);
  isOpen = true;
  pipeline.take(key(3));
  pipeline.take(event('FocusIn', { keycode: 4 }));
  expect(seen.slice(1)).toEqual(['compose KeyPress', 'search KeyPress']);
  expect(delivered).toEqual([1, 2, 3, 4]);
});

test('work behind the earlier events is done at once if none waits, else when they are through', async () => {
  const done: string[] = [];
  const { pipeline, delivered } = start([asking('input method', () => ({ afterMs: 20, isTaken: false }))]);
  const note = (): void => void done.push(`behind ${delivered.join()}`);
  pipeline.behindEvents(note);
  expect(done).toEqual(['behind ']);

  pipeline.take(key(1));
  pipeline.behindEvents(note);
  pipeline.behindEvents(note);
  pipeline.take(key(2));
  expect(done).toHaveLength(1);
  await expect.poll(() => delivered).toEqual([1, 2]);
  expect(done).toEqual(['behind ', 'behind 1']);
});

test('keys keep their order when some take longer, and taken ones go no further', async () => {
  const { pipeline, delivered } = start([
    asking('input method', (keycode) => ({ afterMs: keycode === 1 ? 30 : 0, isTaken: keycode === 3 })),
    { name: 'compose', filter: ({ keycode }) => keycode === 4 },
  ]);

  for (let keycode = 1; keycode <= 6; keycode += 1) pipeline.take(key(keycode));

  await expect.poll(() => delivered).toEqual([1, 2, 5, 6]);
});

test('the sender learns of events that filters take, at once or later', async () => {
  const taken: number[] = [];
  const pipeline = new InputPipeline({
    filters: [
      asking('input method', (keycode) => ({ afterMs: 5, isTaken: keycode === 1 })),
      { name: 'search', filter: ({ keycode }) => keycode === 2 },
    ],
    deliver: () => {},
    taken: ({ keycode }) => void taken.push(keycode),
    warn: () => {},
  });

  for (const keycode of [1, 2, 3]) pipeline.take(key(keycode));

  await expect.poll(() => taken).toEqual([1, 2]);
});

test('filters see keys and buttons alone; other events keep their place among these', async () => {
  const filtered: (string | undefined)[] = [];
  const { pipeline, delivered } = start([
    {
      name: 'input method',
      filter: async ({ name }) => {
        filtered.push(name);
        await sleep(5);
        return false;
      },
    },
  ]);

  pipeline.take(key(1));
  pipeline.take(event('FocusOut', { keycode: 2 }));
  pipeline.take(event('KeyRelease', { keycode: 3 }));

  await expect.poll(() => delivered).toEqual([1, 2, 3]);
  expect(filtered).toEqual(['KeyPress', 'KeyRelease']);
});

test('every filter sees the keys in their order', async () => {
  const seen: string[] = [];
  const filter = (name: string, afterMs: (keycode: number) => number): InputFilter => ({
    name,
    filter: async ({ keycode }) => {
      await sleep(afterMs(keycode));
      seen.push(`${name} ${keycode}`);
      return false;
    },
  });
  const { pipeline, delivered } = start([filter('first', (keycode) => 20 - keycode * 5), filter('second', () => 2)]);

  for (let keycode = 1; keycode <= 3; keycode += 1) pipeline.take(key(keycode));

  await expect.poll(() => delivered).toEqual([1, 2, 3]);
  expect(seen.filter((line) => line.startsWith('second'))).toEqual(['second 1', 'second 2', 'second 3']);
});

test('a filter that hangs delays no key by more than its deadline, and is asked again once it answers', async () => {
  vi.useFakeTimers();
  const hanging = Promise.withResolvers<boolean>();
  const asked: number[] = [];
  const { pipeline, delivered, warnings } = start([
    {
      name: 'the input method',
      filter: ({ keycode }) => {
        asked.push(keycode);
        return keycode === 1 ? hanging.promise : true;
      },
    },
  ]);
  pipeline.take(key(1));
  await vi.advanceTimersByTimeAsync(1_500);
  pipeline.take(key(2));
  await vi.advanceTimersByTimeAsync(499);
  expect(delivered).toEqual([]);

  await vi.advanceTimersByTimeAsync(2);

  expect(delivered).toEqual([1, 2]);
  pipeline.take(key(3));
  expect(delivered).toEqual([1, 2, 3]);
  expect(asked).toEqual([1]);
  expect(warnings).toEqual(['the input method has not answered for 2000 ms; keys go on without it until it does']);
  hanging.resolve(true);
  await vi.advanceTimersByTimeAsync(0);
  pipeline.take(key(4));
  expect([asked, delivered]).toEqual([
    [1, 4],
    [1, 2, 3],
  ]);
});

test('a filter that fails lets the keys go on, and is reported once', async () => {
  const { pipeline, delivered, warnings } = start([
    { name: 'the lookup', filter: () => Promise.reject(new Error('gone')) },
  ]);
  pipeline.take(key(1));
  pipeline.take(key(2));
  await expect.poll(() => delivered).toEqual([1, 2]);
  expect(warnings).toEqual(['the lookup failed (gone); keys go on without it']);
});

test('keys wait for an answer that was asked for before them, and those before it do not', async () => {
  const answer = Promise.withResolvers<string>();
  const { pipeline, delivered } = start();
  const taken: string[] = [];
  pipeline.take(key(1));
  pipeline.holdFor(answer.promise, (mapping) => taken.push(`${mapping} after ${delivered}`));
  pipeline.take(key(2));
  expect(delivered).toEqual([1]);

  answer.resolve('new mapping');

  await expect.poll(() => delivered).toEqual([1, 2]);
  expect(taken).toEqual(['new mapping after 1']);
});

test('an answer that never comes holds keys for a bounded time', async () => {
  vi.useFakeTimers();
  const { pipeline, delivered } = start();
  pipeline.holdFor(new Promise(() => {}), () => {});
  pipeline.take(key(1));
  await vi.advanceTimersByTimeAsync(10_001);
  expect(delivered).toEqual([1]);
});

test('a late answer is used when it comes, but not after the end', async () => {
  vi.useFakeTimers();
  for (const isStopped of [false, true]) {
    const answer = Promise.withResolvers<string>();
    const { pipeline } = start();
    const taken: unknown[] = [];
    pipeline.holdFor(answer.promise, (found) => taken.push(found));
    await vi.advanceTimersByTimeAsync(10_001);
    expect(taken).toEqual([]);
    if (isStopped) pipeline.stop();
    answer.resolve('late');
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual(isStopped ? [] : ['late']);
  }
});

test('256 events wait, further ones are dropped and reported once, and only the last motion waits', async () => {
  const answer = Promise.withResolvers<void>();
  const { pipeline, delivered, warnings } = start();
  pipeline.holdFor(answer.promise, () => {});
  for (let x = 0; x < 1_000; x += 1) pipeline.take(event('MotionNotify', { keycode: 5_000 + x }));
  for (let keycode = 0; keycode < 300; keycode += 1) pipeline.take(key(keycode));

  answer.resolve();

  await expect.poll(() => delivered).toHaveLength(256);
  expect(delivered.slice(0, 3)).toEqual([5_999, 0, 1]);
  expect(warnings).toHaveLength(1);
});

test('a stopped pipeline delivers no event', async () => {
  const answer = Promise.withResolvers<void>();
  const { pipeline, delivered } = start();
  pipeline.holdFor(answer.promise, () => {});
  pipeline.take(key(1));
  pipeline.stop();
  answer.resolve();
  await sleep(5);
  expect(delivered).toEqual([]);
});

test('a release follows its press where events are dropped, and a press that was dropped has none', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const pipeline = new InputPipeline({
    filters: [],
    deliver: ({ name, keycode }) => void seen.push(`${name} ${keycode}`),
    warn: () => {},
  });
  pipeline.take(event('ButtonPress', { keycode: 1 }));
  pipeline.holdFor(promise, () => {});
  pipeline.take(key(9));
  for (let count = 0; count < 300; count += 1) pipeline.take(event('FocusIn'));
  pipeline.take(event('ButtonPress', { keycode: 2 }));
  for (const keycode of [1, 9]) {
    pipeline.take(event('ButtonRelease', { keycode }));
    pipeline.take(event('KeyRelease', { keycode }));
  }
  resolve();
  await expect.poll(() => seen.at(-1)).toBe('KeyRelease 9');
  pipeline.take(event('ButtonRelease', { keycode: 2 }));

  const inputs = seen.filter((told) => !told.startsWith('Focus'));
  expect(inputs).toEqual(['ButtonPress 1', 'KeyPress 9', 'ButtonRelease 1', 'KeyRelease 9']);
});

function start(filters: readonly InputFilter[] = []) {
  const delivered: number[] = [];
  const warnings: string[] = [];
  const pipeline = new InputPipeline({
    filters,
    deliver: ({ keycode }) => void delivered.push(keycode),
    warn: (message) => void warnings.push(message),
  });
  return { pipeline, delivered, warnings };
}

/** A filter that waits for answers, as an input method does; each answer takes its own time. */
function asking(name: string, answerTo: (keycode: number) => { afterMs: number; isTaken: boolean }): InputFilter {
  return {
    name,
    filter: async ({ keycode }) => {
      const { afterMs, isTaken } = answerTo(keycode);
      await sleep(afterMs);
      return isTaken;
    },
  };
}
