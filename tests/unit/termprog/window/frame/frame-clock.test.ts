import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameClock } from '../../../../../src/termprog/window/frame/frame-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the echo of a key is painted in the same turn', () => {
  const { output, frames } = start();
  output();
  expect(frames()).toBe(1);
});

test('the first output does not wait for the time that the empty screen took', () => {
  const { clock, output, frames } = start({ paintMs: 5 });
  clock.request();
  expect(frames()).toBe(1);
  vi.advanceTimersByTime(0);
  output();
  expect(frames()).toBe(2);
});

test('a burst is painted when its reads end, and not in its middle', () => {
  const { output, frames } = start();
  for (let turn = 0; turn < 5; turn += 1) {
    output({ hasMore: true });
    vi.advanceTimersByTime(4);
  }
  expect(frames()).toBe(0);
  output();
  expect(frames()).toBe(1);
});

test('a frame that is requested while output is parsed waits for the end of the reads', () => {
  const { clock, frames } = start();
  clock.duringOutput(() => {
    clock.request();
    return 1;
  });
  expect(frames()).toBe(0);
  clock.readsEnded({ hasMore: false });
  expect(frames()).toBe(1);
});

test('output without an end is painted every 33 ms', () => {
  const { output, frames } = start();
  flood(output, 330);
  expect(frames()).toBeGreaterThanOrEqual(8);
  expect(frames()).toBeLessThanOrEqual(10);
});

test("frames that take long leave most of a flood's time to its output, and its end shows at once", () => {
  const { state, output, frames } = start({ paintMs: 9 });
  flood(output, 600);
  for (const gap of gapsOf(state.paintedAt)) expect(gap).toBeGreaterThanOrEqual(60);
  const before = frames();
  expect(before).toBeGreaterThanOrEqual(7);
  output();
  vi.advanceTimersByTime(34);
  expect(frames()).toBe(before + 1);
});

test('a flood shows ten times a second, however long a frame takes', () => {
  const { state, output } = start({ paintMs: 40 });
  flood(output, 1_000);
  for (const gap of gapsOf(state.paintedAt)) expect(gap).toBeLessThanOrEqual(141);
});

test('after a key frames come close together for a moment, under any load', () => {
  const { clock, output, frames } = start();
  flood(output, 330);
  const before = frames();
  clock.awaitEcho();
  flood(output, 100);
  expect(frames() - before).toBeGreaterThanOrEqual(11);
  const after = frames();
  flood(output, 330);
  expect(frames() - after).toBeLessThanOrEqual(10);
});

test('small changes are painted every 8 ms at first, and every 16 ms when they go on', () => {
  const { state, output } = start();
  for (let ms = 0; ms < 200; ms += 1) {
    output();
    vi.advanceTimersByTime(1);
  }
  const gaps = gapsOf(state.paintedAt);
  expect(gaps.slice(0, 3)).toEqual([8, 8, 8]);
  expect(gaps.length).toBeGreaterThan(9);
  for (const gap of gaps.slice(4)) expect([16, 17]).toContain(gap);
});

test('what the user does shows within 8 ms, also while output is steady', () => {
  const { clock, state, output } = start();
  for (let ms = 0; ms < 200; ms += 1) {
    output();
    if (ms >= 100) clock.request();
    vi.advanceTimersByTime(1);
  }
  const late = state.paintedAt.filter((at) => at > (state.paintedAt[0] ?? 0) + 100);
  expect(Math.max(...gapsOf(late))).toBe(8);
});

test.each([
  { everyMs: 10, bytes: 1, name: 'a hundred characters a second' },
  { everyMs: 3, bytes: 60, name: 'a busy log' },
  { everyMs: 1, bytes: 1, name: 'a counter' },
])('$name is read once for each frame', ({ everyMs, bytes }) => {
  const { state, drip, reads } = startDrip();
  drip({ everyMs, bytes, forMs: 200 });
  const before = { reads: reads(), frames: state.paintedAt.length };
  drip({ everyMs, bytes, forMs: 300 });
  const frames = state.paintedAt.length - before.frames;
  expect(frames).toBeGreaterThanOrEqual(16);
  expect(frames).toBeLessThanOrEqual(19);
  expect(reads() - before.reads).toBe(frames);
});

test('output that comes no sooner than screens show it is read and painted as it comes', () => {
  const { state, drip, reads } = startDrip();
  drip({ everyMs: 17, bytes: 100, forMs: 1_700 });
  expect([reads(), state.paintedAt.length]).toEqual([100, 100]);
  expect(new Set(gapsOf(state.paintedAt))).toEqual(new Set([17]));
  expect(state.pauses).toBe(0);
});

test('when steady output ends, the terminal reads as before and has no timer', () => {
  const { state, drip, isPaused } = startDrip();
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  expect(isPaused()).toBe(true);
  vi.advanceTimersByTime(40);
  expect([isPaused(), vi.getTimerCount()]).toEqual([false, 0]);

  const before = state.paintedAt.length;
  drip({ everyMs: 10, bytes: 1, forMs: 10 });

  expect(state.paintedAt.length - before).toBe(1);
});

test('more output than the kernel keeps is read as it comes, after one rest at most', () => {
  const { drip, reads, isPaused } = startDrip();
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  drip({ everyMs: 1, bytes: 4_096, forMs: 20 });
  expect(isPaused()).toBe(false);
  const before = reads();
  drip({ everyMs: 1, bytes: 4_096, forMs: 100 });
  expect([reads() - before, isPaused()]).toEqual([100, false]);
});

test.each([
  ['a key', (clock: FrameClock) => clock.awaitEcho()],
  ['an answer to the application', (clock: FrameClock) => clock.expectAnswer()],
  ['what the user does', (clock: FrameClock) => clock.request()],
  ['the end', (clock: FrameClock) => clock.stop()],
])('%s ends a rest of the reads at once', (_, interrupt) => {
  const { clock, drip, isPaused } = startDrip();
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  expect(isPaused()).toBe(true);
  interrupt(clock);
  expect(isPaused()).toBe(false);
});

test('for a moment after a key no reads rest, however steady the output', () => {
  const { clock, state, drip, isPaused } = startDrip();
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  clock.awaitEcho();
  const { pauses } = state;
  const before = state.paintedAt.length;
  drip({ everyMs: 10, bytes: 1, forMs: 100 });
  expect([state.pauses - pauses, isPaused()]).toEqual([0, false]);
  expect(state.paintedAt.length - before).toBeGreaterThanOrEqual(9);
});

test.each([
  ['the window is hidden', { isOfUse: false }],
  ['the server does not answer', { isServerStopped: true }],
])('while %s, steady output is read as often as for frames, and without a timer when it has ended', (_, change) => {
  const { state, drip, reads, isPaused } = startDrip();
  Object.assign(state, change);
  drip({ everyMs: 1, bytes: 1, forMs: 100 });
  const before = { reads: reads(), frames: state.paintedAt.length };
  drip({ everyMs: 1, bytes: 1, forMs: 2_000 });
  // Each second some reads show again whether the output is steady.
  expect(reads() - before.reads).toBeLessThan(200);
  expect(state.paintedAt.length).toBe(before.frames);

  vi.advanceTimersByTime(40);
  expect([isPaused(), vi.getTimerCount()]).toEqual([false, 0]);
});

test('output that comes no sooner than screens show it is read as it comes in a hidden window, too', () => {
  const { state, drip, reads } = startDrip();
  state.isOfUse = false;
  drip({ everyMs: 17, bytes: 100, forMs: 1_700 });
  expect([reads(), state.pauses]).toEqual([100, 0]);
});

test('a flood in a hidden window is read as it comes', () => {
  const { state, drip, reads } = startDrip();
  state.isOfUse = false;
  drip({ everyMs: 1, bytes: 4_096, forMs: 100 });
  expect([reads(), state.pauses]).toEqual([100, 0]);
});

test('a window that is shown again during a rest is painted at once, and what waits to be read within a frame', () => {
  const { clock, state, drip, isPaused } = startDrip();
  state.isOfUse = false;
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  expect(isPaused()).toBe(true);
  const before = state.paintedAt.length;

  state.isOfUse = true;
  clock.request();

  expect([state.paintedAt.length - before, isPaused()]).toEqual([1, false]);
});

test('a server that answers late gets the next frame within 17 ms, and output goes on', () => {
  const { state, drip, reads, isPaused } = startDrip();
  drip({ everyMs: 10, bytes: 1, forMs: 300 });
  state.isServerStopped = true;
  for (let time = 0; time < 50; time += 1) {
    drip({ everyMs: 10, bytes: 1, forMs: 110 });
    const before = { reads: reads(), frames: state.paintedAt.length };
    state.answer();
    drip({ everyMs: 1, bytes: 1, forMs: 34 });
    expect(state.paintedAt.length - before.frames).toBe(1);
    expect(reads()).toBeGreaterThan(before.reads);
  }
  vi.advanceTimersByTime(40);
  expect([isPaused(), vi.getTimerCount()]).toEqual([false, 0]);
});

/** Events that a terminal's clock sees. */
const EVENTS = {
  'a little output': ({ write }: Drip) => write({ bytes: 40 }),
  'much output': ({ write }: Drip) => write({ bytes: 3_000 }),
  'a change of the screen': ({ write }: Drip) => write({ bytes: 100, completesChange: true }),
  'a change that is parsed slowly': ({ write }: Drip) => write({ bytes: 2_900, completesChange: true, parsingMs: 17 }),
  'a part of more': ({ write }: Drip) => write({ bytes: 40, hasMore: true }),
  // What reads a terminal that was closed and is open again does not know of rests.
  'output that is read in a rest': ({ read, state }: Drip) => {
    const { isOfUse } = state;
    state.isOfUse = true;
    read({ bytes: 30, completesChange: true });
    state.isOfUse = isOfUse;
  },
  'a key': ({ clock }: Drip) => clock.awaitEcho(),
  'a request': ({ clock }: Drip) => clock.request(),
  'an answer of the server': ({ state }: Drip) => void state.answer(),
  'the window is hidden': ({ state }: Drip) => {
    state.isOfUse = false;
  },
  'the window is shown': ({ state, clock }: Drip) => {
    state.isOfUse = true;
    clock.request();
  },
} as const satisfies Record<string, (drip: Drip) => void>;

const event = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a little output' as const, 'an answer of the server' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(EVENTS) as (keyof typeof EVENTS)[])) },
);

test('in any order of events, reads rest only while a timer is set that ends the rest', () => {
  const steps = fc.array(fc.record({ event, passMs: fc.constantFrom(0, 1, 3, 8, 15, 16, 17) }), { maxLength: 80 });
  fc.assert(
    fc.property(steps, (all) => {
      vi.clearAllTimers();
      const drip = startDrip();
      // The answers come from here, so that the clock's timer is the only one.
      drip.state.isServerStopped = true;
      for (let time = 0; time < 12; time += 1) {
        drip.drip({ everyMs: 8, bytes: 1, forMs: 8 });
        drip.state.answer();
      }
      expect(drip.isPaused()).toBe(true);
      for (const { event: name, passMs } of all) {
        EVENTS[name](drip);
        vi.advanceTimersByTime(passMs);
        if (drip.isPaused()) expect(vi.getTimerCount()).toBe(1);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('output that takes most of the time to parse is painted less often', () => {
  const { output, frames } = start();
  for (let ms = 0; ms < 400; ms += 1) {
    output({ parsingMs: 3 });
    vi.advanceTimersByTime(1);
  }
  // 1,600 ms went by.
  expect(frames()).toBeGreaterThan(40);
  expect(frames()).toBeLessThan(70);
});

test('slow frames come further apart, and not beyond the bound', () => {
  const { clock, frames } = start({ paintMs: 50 });
  clock.request();
  clock.request();
  vi.advanceTimersByTime(32);
  expect(frames()).toBe(1);
  vi.advanceTimersByTime(2);
  expect(frames()).toBe(2);
});

test('a frame waits until the server has answered the last, however long it takes', () => {
  const { clock, state, output, frames } = start({ isServerStopped: true });
  output();
  for (let turn = 0; turn < 1_000; turn += 1) {
    output({ hasMore: turn % 2 === 0 });
    clock.request();
    vi.advanceTimersByTime(10);
  }
  expect([frames(), state.asked, vi.getTimerCount()]).toEqual([1, 1, 0]);

  state.answer();

  expect(frames()).toBe(2);
});

test('without work there is no timer and no request', () => {
  const { output, state } = start();
  output();
  vi.advanceTimersByTime(10_000);
  expect([state.asked, vi.getTimerCount()]).toEqual([1, 0]);
});

test('output before the window shows costs no frame, and the first one comes when it shows', () => {
  const { clock, state, output, frames } = start();
  state.isOfUse = false;
  output();
  vi.advanceTimersByTime(100);
  expect([frames(), state.asked, vi.getTimerCount()]).toEqual([0, 0, 0]);
  state.isOfUse = true;
  clock.request();
  expect(frames()).toBe(1);
});

test('an application holds frames back, for a bounded time', () => {
  const { output, state, frames } = start();
  state.isHeldBack = true;
  output();
  vi.advanceTimersByTime(140);
  expect(frames()).toBe(0);
  vi.advanceTimersByTime(11);
  expect(frames()).toBe(1);
});

test('an application that holds frames back for ever is ignored after a time', () => {
  const { output, state, frames } = start();
  state.isHeldBack = true;
  output();
  vi.advanceTimersByTime(200);
  expect(frames()).toBe(1);
  output();
  expect(frames()).toBe(2);
});

test('a frame that was held back is painted in the turn in which the application releases it', () => {
  const { output, state, frames } = start();
  state.isHeldBack = true;
  output();
  vi.advanceTimersByTime(20);
  expect(frames()).toBe(0);
  state.isHeldBack = false;
  output();
  expect(frames()).toBe(1);
});

test('after a failure the next frame keeps the distance that was asked for', () => {
  const { clock, frames } = start();
  clock.request();
  clock.backOff(500);
  clock.request();
  vi.advanceTimersByTime(499);
  expect(frames()).toBe(1);
  vi.advanceTimersByTime(2);
  expect(frames()).toBe(2);
});

test('a frame that throws is not the last one', () => {
  const { clock, state, frames } = start();
  state.isFailing = true;
  expect(() => clock.request()).toThrow('no frame');
  state.isFailing = false;
  clock.request();
  vi.advanceTimersByTime(10);
  expect([frames(), state.asked]).toEqual([2, 2]);
});

test('the end paints what is left, once, also when the server has not answered', () => {
  const { clock, frames } = start({ isServerStopped: true });
  clock.request();
  clock.request();
  clock.finish();
  clock.finish();
  clock.request();
  expect(frames()).toBe(2);
});

test('a stopped clock paints no frame', () => {
  const { clock, output, frames } = start();
  output();
  output();
  clock.stop();
  vi.advanceTimersByTime(1_000);
  expect([frames(), vi.getTimerCount()]).toEqual([1, 0]);
});

test('a request before there is a frame to paint costs no frame and no question', () => {
  const paintedAt: number[] = [];
  let asked = 0;
  const clock = new FrameClock({
    fence: () => {
      asked += 1;
    },
    nowMs: () => performance.now(),
  });
  clock.request();
  expect(asked).toBe(0);
  clock.drive({
    paint: () => paintedAt.push(performance.now()),
    isOfUse: () => true,
    isHeldBack: () => false,
    endHolding: () => {},
  });
  clock.readsEnded({ hasMore: false });
  expect(paintedAt).toEqual([]);
  clock.request();
  expect(paintedAt).toHaveLength(1);
});

test('pictures that an application synchronizes back to back are painted whole, and as often as other output', () => {
  const { clock, state, frames } = start();
  let cutShort = 0;
  for (let ms = 0; ms < 1_000; ms += 1) {
    clock.duringOutput(() => {
      // The application's last picture ends in this read, and the next one begins.
      if (!state.isHeldBack && ms > 0) cutShort += 1;
      state.isHeldBack = false;
      clock.changeCompleted();
      state.isHeldBack = true;
      return 1;
    });
    clock.readsEnded({ hasMore: true });
    vi.advanceTimersByTime(1);
  }
  expect(frames()).toBeGreaterThanOrEqual(25);
  expect(cutShort).toBe(0);
});

test('the end of a synchronized change is not painted before the server has dealt with the last frame', () => {
  const { clock, output, frames } = start({ isServerStopped: true });
  output();
  vi.advanceTimersByTime(100);
  clock.duringOutput(() => {
    clock.changeCompleted();
    return 1;
  });
  expect(frames()).toBe(1);
});

/** Output of which there is always more, for some milliseconds. */
function flood(output: (piece: Piece) => void, ms: number): void {
  for (let turn = 0; turn < ms; turn += 1) {
    output({ hasMore: true });
    vi.advanceTimersByTime(1);
  }
}

function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((at, place) => at - (times[place] ?? at));
}

type Drip = ReturnType<typeof startDrip>;

/** A clock whose output comes from a kernel: it is read as it comes, or waits while the reads rest. */
function startDrip() {
  const { clock, state, output } = start();
  let waiting: Piece[] = [];
  let isPaused = false;
  let reads = 0;
  const read = (piece?: Piece): void => {
    if (piece !== undefined) waiting.push(piece);
    if (waiting.length === 0) return;
    reads += 1;
    const pieces = waiting;
    waiting = [];
    output(...pieces);
  };
  clock.governReads({
    pause: () => {
      isPaused = true;
      state.pauses += 1;
    },
    catchUp: () => read(),
    resume: () => {
      isPaused = false;
      read();
    },
  });
  const write = (piece: Piece): void => {
    waiting.push(piece);
    if (!isPaused) read();
  };
  const drip = ({ everyMs, bytes, forMs }: { everyMs: number; bytes: number; forMs: number }): void => {
    for (let ms = 0; ms < forMs; ms += everyMs) {
      write({ bytes });
      vi.advanceTimersByTime(everyMs);
    }
  };
  return { clock, state, read, write, drip, reads: () => reads, isPaused: () => isPaused };
}

/** Output that is parsed at once. */
interface Piece {
  bytes?: number;
  /** How long that takes. */
  parsingMs?: number;
  /** It ends a change for which the application held frames back. */
  completesChange?: boolean;
  hasMore?: boolean;
}

/** `paintMs` is what each frame takes; a server that is stopped does not answer. */
function start({ paintMs = 0, isServerStopped = false } = {}) {
  let spentMs = 0;
  const nowMs = (): number => performance.now() + spentMs;
  const state = {
    isHeldBack: false,
    isOfUse: true,
    isFailing: false,
    paintedAt: [] as number[],
    asked: 0,
    pauses: 0,
    isServerStopped,
    answer: () => {},
  };
  const clock = new FrameClock({
    fence: (done) => {
      state.asked += 1;
      state.answer = done;
      if (!state.isServerStopped) setTimeout(done, 0);
    },
    nowMs,
  });
  clock.drive({
    paint: () => {
      state.paintedAt.push(nowMs());
      spentMs += paintMs;
      if (state.isFailing) throw new Error('no frame');
    },
    isOfUse: () => state.isOfUse,
    isHeldBack: () => state.isHeldBack,
    endHolding: () => {
      state.isHeldBack = false;
    },
  });
  /** Delivers pieces that are read together; one byte without any. */
  const output = (...pieces: Piece[]): void => {
    for (const { bytes = 1, parsingMs = 0, completesChange } of pieces.length === 0 ? [{}] : pieces) {
      clock.duringOutput(() => {
        if (completesChange) clock.changeCompleted();
        spentMs += parsingMs;
        return bytes;
      });
    }
    clock.readsEnded({ hasMore: pieces.at(-1)?.hasMore ?? false });
  };
  return { clock, state, output, frames: () => state.paintedAt.length };
}
