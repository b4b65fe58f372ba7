import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameScheduler } from '../../../../src/termprog/window/frame-scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** `paintMs` is what each frame takes. */
function start({ paintMs = 0 } = {}) {
  const state = { isHeldBack: false, paintedAt: [] as number[] };
  const frames = new FrameScheduler({
    paint: () => {
      state.paintedAt.push(performance.now());
      clockMs += paintMs;
    },
    isHeldBack: () => state.isHeldBack,
    nowMs: () => performance.now() + clockMs,
  });
  let clockMs = 0;
  return { frames, state };
}

test('the echo of a key is painted in the same turn', () => {
  const { frames, state } = start();
  frames.request(1);
  expect(state.paintedAt).toHaveLength(1);
});

test('a large chunk waits for what follows it', () => {
  const { frames, state } = start();
  frames.request(60_000);
  expect(state.paintedAt).toHaveLength(0);
  vi.advanceTimersByTime(8);
  expect(state.paintedAt).toHaveLength(1);
});

test('a flood is painted once a frame', () => {
  const { frames, state } = start();
  for (let ms = 0; ms < 80; ms += 1) {
    frames.request(60_000);
    vi.advanceTimersByTime(1);
  }
  expect(state.paintedAt.length).toBeGreaterThanOrEqual(9);
  expect(state.paintedAt.length).toBeLessThanOrEqual(11);
});

test('slow frames come further apart, and not beyond the bound', () => {
  const { frames, state } = start({ paintMs: 50 });
  frames.request(1);
  frames.request(1);
  vi.advanceTimersByTime(32);
  expect(state.paintedAt).toHaveLength(1);
  vi.advanceTimersByTime(2);
  expect(state.paintedAt).toHaveLength(2);
});

test('an application holds frames back, for a bounded time', () => {
  const { frames, state } = start();
  state.isHeldBack = true;
  frames.request(1);
  vi.advanceTimersByTime(140);
  expect(state.paintedAt).toHaveLength(0);
  vi.advanceTimersByTime(30);
  expect(state.paintedAt).toHaveLength(1);
});

test('what was held back is painted when the application lets go', () => {
  const { frames, state } = start();
  state.isHeldBack = true;
  frames.request(1);
  vi.advanceTimersByTime(20);
  state.isHeldBack = false;
  vi.advanceTimersByTime(8);
  expect(state.paintedAt).toHaveLength(1);
});

test('nothing is painted once it was stopped', () => {
  const { frames, state } = start();
  frames.request(60_000);
  frames.stop();
  vi.advanceTimersByTime(1_000);
  expect(state.paintedAt).toHaveLength(0);
});
