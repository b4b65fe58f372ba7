import { expect, test } from 'vitest';
import { createBootClock } from '../../../../../src/connector/store/hold/boot-clock.ts';

test('time in which the machine was suspended counts at once', () => {
  const { sinceBoot, suspend, pass } = machine();
  const before = sinceBoot();
  pass(10);

  suspend(60_000);

  // The time is as exact as the system reports it.
  expect(Math.abs(sinceBoot() - before - 60_010)).toBeLessThan(1_000);
});

test('time goes on as the running machine’s does, and never back, while the wall clock is set', () => {
  const { sinceBoot, pass, times } = machine();
  let last = sinceBoot();
  const began = last;
  for (let step = 0; step < 300; step += 1) {
    pass(17);
    if (step % 50 === 0) times.wall += step % 100 === 0 ? -3_600_000 : 3_600_000;
    const now = sinceBoot();
    expect(now).toBeGreaterThan(last);
    last = now;
  }
  // Whole seconds are not always rounded alike.
  expect(Math.abs(last - began - 300 * 17)).toBeLessThan(1_000);
});

function machine() {
  const times = { wall: 1_000_000, running: 5_000, uptime: 70_000 };
  const pass = (ms: number): void => {
    times.running += ms;
    times.wall += ms;
    times.uptime += ms;
  };
  return {
    times,
    pass,
    suspend: (ms: number) => {
      times.wall += ms;
      times.uptime += ms;
    },
    // Some systems report the time in whole seconds.
    sinceBoot: createBootClock({ now: () => times.wall, monotonic: () => times.running }, () =>
      Math.floor(times.uptime / 1_000),
    ),
  };
}
