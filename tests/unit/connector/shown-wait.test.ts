import { expect, test, vi } from 'vitest';
import { showWait } from '../../../src/connector/shown-wait.ts';

test('a terminal shows in one line what is waited for, which is gone when the work has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { written, output } = terminal(true);
  const work = Promise.withResolvers<string>();
  let waitsFor = 'looking at the database, soju and the identity provider';
  const shown = showWait(() => waitsFor, work.promise, output);

  vi.advanceTimersByTime(1_900);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(written).toEqual(['\r\u001b[Klooking at the database, soju and the i']);
  waitsFor = 'looking at soju';
  vi.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe('\r\u001b[Klooking at soju: 3 s so far');

  work.resolve('well');
  expect(await shown).toBe('well');
  expect(written.at(-1)).toBe('\r\u001b[K');
  const { length } = written;
  vi.advanceTimersByTime(100_000);
  expect(written).toHaveLength(length);
  vi.useRealTimers();
});

test('elsewhere a line a minute says so, and a failure is that of the work', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { written, output } = terminal(false);
  const work = Promise.withResolvers<string>();
  const shown = showWait(() => 'writing the file anew', work.promise, output);

  vi.advanceTimersByTime(59_000);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(61_500);
  expect(written).toEqual(['writing the file anew: 60 s so far\n', 'writing the file anew: 120 s so far\n']);

  work.reject(new Error('no room'));
  await expect(shown).rejects.toThrow('no room');
  expect(written).toHaveLength(2);
  vi.useRealTimers();
});

/** A terminal of 40 columns, and what was written to it. */
function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, output: { isTTY, columns: 40, write: (text: string) => written.push(text) } };
}
