import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TerminalEngine } from '../../../../../src/termprog/engine/terminal-engine.ts';
import type { Frame } from '../../../../../src/termprog/render/frame.ts';
import type { Painter } from '../../../../../src/termprog/render/painter.ts';
import type { Titles } from '../../../../../src/termprog/window/desktop/titles.ts';
import { Bell } from '../../../../../src/termprog/window/frame/bell.ts';
import { Blinking } from '../../../../../src/termprog/window/frame/blinking.ts';
import { FrameClock } from '../../../../../src/termprog/window/frame/frame-clock.ts';
import { FramePainter } from '../../../../../src/termprog/window/frame/frame-painter.ts';
import { ShownLines } from '../../../../../src/termprog/window/frame/shown-lines.ts';
import { Viewport } from '../../../../../src/termprog/window/frame/viewport.ts';
import { ThrottledLog } from '../../../../../src/termprog/window/throttled-log.ts';
import type { XConnection } from '../../../../../src/termprog/x11/x-connection.ts';
import { IDENTITY, QUIET_HOST } from '../../../../harness/terminal-engine.ts';
import { optionsWith } from '../../options/options-with.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nowMs = (): number => performance.now();

test('a frame that fails costs one line, and all is painted anew in the next', () => {
  const { state, lines, print } = start();
  print('first');
  state.failuresLeft = 1;
  vi.advanceTimersByTime(50);
  print('second');
  vi.advanceTimersByTime(50);

  expect(state.frames.slice(1).map((damage) => damage === 'everything')).toEqual([false, true]);
  expect(state.forgotten).toBe(1);
  expect(lines).toEqual(['the window could not be drawn and is drawn anew: no such glyph']);
});

test('the background that the server drew is taken for the first frame only, even if that fails', () => {
  const { state, print } = start();
  state.failuresLeft = 1;
  print('first');
  vi.advanceTimersByTime(500);
  expect(state.frames).toHaveLength(2);
  expect(state.backgroundsTaken).toBe(1);
});

test('a background of another colour is painted', () => {
  const { state, print } = start({ backgroundPixel: 7 });
  print('first');
  expect(state.frames).toHaveLength(1);
  expect(state.backgroundsTaken).toBe(0);
});

test('a frame that was too large for one goes on in the next, without a change of the screen', () => {
  const { state, print } = start();
  state.partsLeft = 2;
  print('much');
  vi.advanceTimersByTime(500);

  expect(state.frames).toHaveLength(3);
});

for (const [what, fail] of [
  ['label', (state: ReturnType<typeof start>['state']) => (state.labelFailures = 1)],
  ['bell', (state: ReturnType<typeof start>['state']) => (state.bellFailures = 1)],
] as const) {
  test(`a ${what} that fails costs one line, and the text shows`, () => {
    const { state, lines, print } = start();
    fail(state);
    print('first\x07');
    expect(state.frames).toEqual(['everything']);
    vi.advanceTimersByTime(50);
    print('second');
    vi.advanceTimersByTime(50);

    expect(state.frames).toHaveLength(3);
    expect([lines.length, state.firstFrames]).toEqual([1, 1]);
    expect(lines[0]).toContain(`no ${what === 'label' ? 'such label' : 'bell'}`);
  });
}

test('a painter that fails for good is tried less and less often, and not for ever', () => {
  const { state, lines, print } = start();
  state.failuresLeft = Number.POSITIVE_INFINITY;
  print('text');
  vi.advanceTimersByTime(60_000);
  expect(state.frames).toHaveLength(7);
  expect(vi.getTimerCount()).toBe(0);

  for (let second = 0; second < 60; second += 1) {
    print('more');
    vi.advanceTimersByTime(1_000);
  }

  expect(state.frames.length).toBeGreaterThan(10);
  expect(state.frames.length).toBeLessThan(50);
  expect(lines.length).toBeLessThanOrEqual(state.frames.length);
});

test('a painter that recovers is as quick as ever', () => {
  const { state, print } = start();
  state.failuresLeft = 5;
  print('text');
  vi.advanceTimersByTime(10_000);
  const before = state.frames.length;
  print('more');
  expect(state.frames).toHaveLength(before + 1);
});

test('a hidden window is not drawn, but it rings', () => {
  const { state, print } = start();
  state.isVisible = false;
  print('text\x07');
  expect([state.frames.length, state.bells]).toEqual([0, 1]);
  state.isVisible = true;
  vi.advanceTimersByTime(20);
  print('more');
  expect(state.frames).toEqual(['everything']);
});

test('a flood of bells with text is a frame each now and then, and five bells a second', () => {
  const { state, print } = start();
  for (let ms = 0; ms < 2_000; ms += 1) {
    print('x\x07\x07\x07');
    vi.advanceTimersByTime(1);
  }
  expect(state.bells).toBeGreaterThanOrEqual(8);
  expect(state.bells).toBeLessThanOrEqual(11);
});

/** A window whose painter fails `failuresLeft` times; the server answers at once. */
function start({ backgroundPixel = 0 } = {}) {
  const state = {
    failuresLeft: 0,
    partsLeft: 0,
    frames: [] as (Frame['damage'] | 'everything')[],
    isVisible: true,
    bells: 0,
    forgotten: 0,
    bellFailures: 0,
    labelFailures: 0,
    firstFrames: 0,
    backgroundsTaken: 0,
  };
  const lines: string[] = [];
  const options = optionsWith({});
  const engine = new TerminalEngine(
    { columns: 10, rows: 4, saveLines: 100, cursorShape: 'block', identity: IDENTITY },
    { ...QUIET_HOST, bell: () => bell.ring() },
  );
  const painter = {
    backgroundPixel: 0,
    takeBackground: () => {
      state.backgroundsTaken += 1;
    },
    paint: ({ damage, isEverything }: Frame) => {
      state.frames.push(isEverything ? 'everything' : damage);
      if (state.failuresLeft-- > 0) throw new Error('no such glyph');
      return state.partsLeft-- <= 0;
    },
    forgetEverything: () => {
      state.forgotten += 1;
    },
    setReverse: () => {},
    showBlinkingText: () => {},
    hasBlinkingText: false,
  } as Partial<Painter> as Painter;
  const clock = new FrameClock({ fence: (done) => void setTimeout(done, 1), nowMs });
  const bell = new Bell({ request: () => clock.request(), nowMs, rings: () => {} });
  const client = {
    ChangeWindowAttributes: () => {},
    Bell: () => {
      if (state.bellFailures-- > 0) throw new Error('no bell');
      state.bells += 1;
    },
  };
  const viewport = new Viewport(engine, () => {});
  const frames = new FramePainter({
    connection: { client } as unknown as XConnection,
    window: 1,
    engine,
    painter,
    blinking: new Blinking({ onMs: 600, offMs: 300 }, () => clock.request()),
    viewport,
    lines: new ShownLines(viewport),
    titles: {
      isDue: false,
      flush: () => {
        if (state.labelFailures-- > 0) throw new Error('no such label');
      },
    } as Titles,
    bell,
    clock,
    options,
    failures: new ThrottledLog({ write: (line) => void lines.push(line), nowMs }),
    backgroundPixel,
    isVisible: () => state.isVisible,
    hasFocus: () => false,
    attention: { isDue: false, flush: () => {} },
    onFirstFrame: () => {
      state.firstFrames += 1;
    },
  });
  clock.drive({
    paint: () => frames.paint(),
    isOfUse: () => frames.isOfUse,
    isHeldBack: () => false,
    endHolding: () => {},
  });
  const print = (text: string): void => {
    clock.duringOutput(() => {
      engine.write(Buffer.from(text));
      return text.length;
    });
    clock.readsEnded({ hasMore: false });
  };
  return { state, lines, print, clock };
}
