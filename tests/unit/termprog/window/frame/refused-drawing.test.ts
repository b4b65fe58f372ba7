import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isDrawing, Refusals } from '../../../../../src/termprog/window/frame/refused-drawing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function start() {
  let redraws = 0;
  const refusals = new Refusals({
    nowMs: () => Date.now(),
    redraw: () => {
      redraws += 1;
    },
  });
  return { refusals, redraws: () => redraws };
}

test('refusals that come together have all drawn anew once, some time later', () => {
  const { refusals, redraws } = start();

  for (let count = 0; count < 1_000; count += 1) refusals.take();
  expect(redraws()).toBe(0);
  vi.runAllTimers();

  expect(redraws()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('drawing that the server refuses each time is left out in the end, until it has been calm', () => {
  const { refusals, redraws } = start();

  for (let second = 0; second < 60; second += 1) {
    refusals.take();
    vi.advanceTimersByTime(1_000);
  }
  expect(redraws()).toBe(6);

  vi.advanceTimersByTime(10_001);
  refusals.take();
  vi.runAllTimers();
  expect(redraws()).toBe(7);
});

test('frames stop at the end', () => {
  const { refusals, redraws } = start();

  refusals.take();
  refusals.stop();
  refusals.take();
  vi.runAllTimers();

  expect(redraws()).toBe(0);
});

test.each([
  ['CreatePixmap', 53, true],
  ['ImageText16', 77, true],
  ['RENDER', 139, true],
  ['ConfigureWindow', 12, false],
  ['ChangeProperty', 18, false],
  ['Bell', 104, false],
])('a refused %s counts as drawing or not', (_, code, expected) => {
  expect(isDrawing(code)).toBe(expected);
});
