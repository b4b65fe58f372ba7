import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ResizePace } from '../../../../../src/termprog/window/desktop/resize-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function startPace(): { pace: ResizePace; resumed(): number } {
  let resumed = 0;
  const pace = new ResizePace({
    nowMs: () => performance.now(),
    resume: () => {
      resumed += 1;
    },
  });
  return { pace, resumed: () => resumed };
}

test('the next size waits for the answer to the last one, and for all pieces of it', () => {
  const { pace, resumed } = startPace();
  expect(pace.isAwaiting).toBe(false);
  pace.takeSize();
  vi.advanceTimersByTime(100);
  for (let piece = 0; piece < 3; piece += 1) {
    expect(pace.isAwaiting).toBe(true);
    pace.takeOutput();
    vi.advanceTimersByTime(7);
  }
  expect([pace.isAwaiting, resumed()]).toEqual([true, 0]);
  vi.advanceTimersByTime(1);
  expect([pace.isAwaiting, resumed()]).toEqual([false, 1]);
});

test('a program that does not answer, and one that never ends to write, hold a size for a half a second', () => {
  for (const stepMs of [500, 5]) {
    const { pace, resumed } = startPace();
    pace.takeSize();
    for (let ms = 0; ms < 500; ms += stepMs) {
      expect(pace.isAwaiting).toBe(true);
      if (stepMs < 500) pace.takeOutput();
      vi.advanceTimersByTime(stepMs);
    }
    expect([pace.isAwaiting, resumed()]).toEqual([false, 1]);
  }
});

test('output that answers no size holds no request, and no work goes on at the end', () => {
  const { pace, resumed } = startPace();
  pace.takeOutput();
  expect(pace.isAwaiting).toBe(false);
  pace.takeSize();
  pace.stop();
  vi.advanceTimersByTime(1_000);
  expect([pace.isAwaiting, resumed()]).toEqual([false, 0]);
});
