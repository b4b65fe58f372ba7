import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSilence } from '../../../../src/termprog/x11/silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function start() {
  const state = { bytes: 0, isSilent: false };
  const now = performance.now.bind(performance);
  let stoppedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + stoppedMs);
  /** Pretends that this program was stopped for a time. */
  const stop = (ms: number): void => {
    stoppedMs += ms;
  };
  const end = watchSilence(
    () => state.bytes,
    () => {
      state.isSilent = true;
    },
  );
  return { state, end, stop };
}

test('a silent server is reported once, after ten seconds', () => {
  const { state } = start();
  vi.advanceTimersByTime(9_999);
  expect(state.isSilent).toBe(false);
  vi.advanceTimersByTime(1);
  expect([state.isSilent, vi.getTimerCount()]).toEqual([true, 0]);
});

test('any data from the server starts the time anew', () => {
  const { state } = start();
  for (let time = 0; time < 10; time += 1) {
    vi.advanceTimersByTime(9_000);
    state.bytes += 1;
  }
  expect(state.isSilent).toBe(false);
  vi.advanceTimersByTime(11_000);
  expect(state.isSilent).toBe(true);
});

test('a watch that was ended leaves no timer', () => {
  const { state, end } = start();
  end();
  vi.advanceTimersByTime(20_000);
  expect([state.isSilent, vi.getTimerCount()]).toEqual([false, 0]);
});

for (const seconds of [0.5, 5, 8.5, 9.5]) {
  test(`a program that is stopped after ${seconds} seconds for longer hears what came meanwhile`, () => {
    const { state, stop } = start();
    vi.advanceTimersByTime(seconds * 1_000);
    stop(11_000);
    // Timers come before the socket.
    vi.advanceTimersByTime(500);
    expect(state.isSilent).toBe(false);
    state.bytes += 1;
    vi.advanceTimersByTime(9_000);
    expect(state.isSilent).toBe(false);
  });
}

test('a program that was stopped, without events afterwards, waits no longer than another', () => {
  const { state, stop } = start();
  stop(60_000);
  vi.advanceTimersByTime(10_000);
  expect(state.isSilent).toBe(true);
});
