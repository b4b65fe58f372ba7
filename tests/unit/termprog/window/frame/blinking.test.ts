import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cursor } from '../../../../../src/termprog/engine/cursor.ts';
import { Blinking } from '../../../../../src/termprog/window/frame/blinking.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const cursorAt = (column: number): Cursor => ({ column, row: 0, shape: 'block', isVisible: true });

/** A window that paints a frame whenever one is due, as long as it is visible. */
function start({ hasText = false } = {}) {
  const state = { isVisible: true, isBlinking: true, hasText, column: 0, frames: 0, cursor: true, text: true };
  const blinking = new Blinking({ onMs: 600, offMs: 300 }, () => paint());
  const paint = (): void => {
    if (!state.isVisible) return;
    state.frames += 1;
    state.cursor = blinking.showsCursor(cursorAt(state.column), state.isBlinking);
    state.text = blinking.showsText;
    blinking.noticeText(state.hasText);
  };
  paint();
  return { state, paint, blinking };
}

test('a cursor is shown and hidden in turn, a frame for each', () => {
  const { state } = start();
  const seen = [599, 1, 299, 1, 599, 1].map((ms) => {
    vi.advanceTimersByTime(ms);
    return state.cursor;
  });
  expect(seen).toEqual([true, false, false, true, true, false]);
  expect(state.frames).toBe(4);
});

test('a cursor that moves is shown for a whole phase', () => {
  const { state, paint } = start();
  vi.advanceTimersByTime(700);
  expect(state.cursor).toBe(false);

  state.column = 1;
  paint();
  vi.advanceTimersByTime(599);

  expect(state.cursor).toBe(true);
  vi.advanceTimersByTime(1);
  expect(state.cursor).toBe(false);
});

test('frames that do not move the cursor leave its phases alone', () => {
  const { state, paint } = start();
  for (let count = 0; count < 59; count += 1) {
    vi.advanceTimersByTime(10);
    paint();
    expect(state.cursor).toBe(true);
  }
  vi.advanceTimersByTime(10);
  expect(state.cursor).toBe(false);
});

test('a cursor that rests is shown, and no timer waits', () => {
  const { state, paint } = start();
  vi.advanceTimersByTime(700);

  state.isBlinking = false;
  paint();

  expect(state.cursor).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('text blinks beside a cursor that rests, as long as there is any', () => {
  const { state, paint } = start({ hasText: true });
  state.isBlinking = false;
  paint();
  vi.advanceTimersByTime(600);
  expect([state.cursor, state.text]).toEqual([true, false]);
  vi.advanceTimersByTime(300);
  expect([state.cursor, state.text]).toEqual([true, true]);

  state.hasText = false;
  paint();

  expect(vi.getTimerCount()).toBe(0);
});

test('a window that is not painted is woken once more, and then no more', () => {
  const { state, paint } = start({ hasText: true });
  state.isVisible = false;
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);

  state.isVisible = true;
  paint();

  expect(vi.getTimerCount()).toBe(2);
});

test('timers end with the blinking', () => {
  const { blinking } = start({ hasText: true });
  blinking.stop();
  expect(vi.getTimerCount()).toBe(0);
});
