import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Heartbeat } from '../../../../src/connector/bouncer/heartbeat.ts';

const SECOND_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a bouncer that answers is certain, and is asked rarely', async () => {
  const { heartbeat, told } = beat();

  await vi.advanceTimersByTimeAsync(300 * SECOND_MS);

  expect([heartbeat.isCertain, told.isDead]).toEqual([true, false]);
  expect(told.pings).toBeLessThan(31);
  heartbeat.stop();
});

test('a bouncer that does not answer is uncertain within a quarter of a minute, and gone within a minute and a bit', async () => {
  const { heartbeat, told } = beat({ bouncerAnswers: false });

  await vi.advanceTimersByTimeAsync(17 * SECOND_MS);
  expect([heartbeat.isCertain, told.isDead]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(50 * SECOND_MS);

  expect(told.isDead).toBe(true);
});

test('a server that hangs behind a bouncer that answers is uncertain after two questions, and certain again after an answer', async () => {
  let answers = false;
  const { heartbeat, told } = beat({ serverAnswers: () => answers });

  await vi.advanceTimersByTimeAsync(65 * SECOND_MS);
  expect([heartbeat.isCertain, told.hangs]).toEqual([true, 0]);
  await vi.advanceTimersByTimeAsync(65 * SECOND_MS);
  expect([heartbeat.isCertain, heartbeat.isAnswering, told.hangs]).toEqual([false, true, 1]);
  answers = true;
  await vi.advanceTimersByTimeAsync(65 * SECOND_MS);

  expect(heartbeat.isCertain).toBe(true);
  expect(told.certainties).toEqual([false, true]);
  heartbeat.stop();
});

test('silence is no sign while reading is paused', async () => {
  const { heartbeat, told } = beat({ bouncerAnswers: false });

  heartbeat.isPaused = true;
  await vi.advanceTimersByTimeAsync(300 * SECOND_MS);

  expect([heartbeat.isCertain, told.isDead]).toEqual([true, false]);
  heartbeat.stop();
});

test('a new connection to the server begins without the answers the old one owed', async () => {
  const { heartbeat, told } = beat({ serverAnswers: () => false });
  await vi.advanceTimersByTimeAsync(65 * SECOND_MS);

  heartbeat.reconnected();
  await vi.advanceTimersByTimeAsync(65 * SECOND_MS);

  expect([heartbeat.isCertain, told.hangs]).toEqual([true, 0]);
  heartbeat.stop();
});

test('while reading is paused, an unread answer does not count as missing', async () => {
  let pause = (): void => undefined;
  const { heartbeat, told } = beat({
    serverAnswers: () => {
      pause();
      return false;
    },
  });
  pause = () => {
    heartbeat.isPaused = true;
    heartbeat.isPaused = false;
  };

  await vi.advanceTimersByTimeAsync(300 * SECOND_MS);

  expect([heartbeat.isCertain, told.hangs]).toEqual([true, 0]);
  expect(told.probes).toBeGreaterThan(3);
  heartbeat.stop();
});

test('a server whose answers wait behind lines of a busy network is alive, and hangs when those have ended', async () => {
  let isBusy = true;
  const { heartbeat, told } = beat({
    serverAnswers: () => {
      if (isBusy) heartbeat.networkHeard();
      return false;
    },
  });

  await vi.advanceTimersByTimeAsync(300 * SECOND_MS);
  expect([heartbeat.isCertain, told.hangs]).toEqual([true, 0]);
  isBusy = false;
  await vi.advanceTimersByTimeAsync(130 * SECOND_MS);

  expect(heartbeat.isCertain).toBe(false);
  expect(told.hangs).toBeGreaterThan(0);
  heartbeat.stop();
});

test('a server that has hung, and then sends what it owes before its answers, is certain again before its connection is replaced', async () => {
  const { heartbeat, told } = beat({ serverAnswers: () => false });
  await vi.advanceTimersByTimeAsync(130 * SECOND_MS);
  expect(told.hangs).toBe(1);

  heartbeat.networkHeard();
  await vi.advanceTimersByTimeAsync(2 * SECOND_MS);

  expect(told.certainties).toEqual([false, true]);
  heartbeat.stop();
});

function beat({ bouncerAnswers = true, serverAnswers = (): boolean => true } = {}) {
  const told = { pings: 0, probes: 0, isDead: false, hangs: 0, certainties: [] as boolean[] };
  const events = {
    ping: () => {
      told.pings += 1;
      if (bouncerAnswers) heartbeat.heard();
    },
    probe: async () => {
      told.probes += 1;
      return serverAnswers();
    },
    onDead: () => {
      told.isDead = true;
    },
    onHung: () => {
      told.hangs += 1;
    },
    onCertaintyChanged: () => {
      told.certainties.push(heartbeat.isCertain);
    },
  };
  const heartbeat = new Heartbeat(events, 60 * SECOND_MS);
  heartbeat.start();
  return { heartbeat, told };
}
