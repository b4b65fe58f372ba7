import { setTimeout as delay } from 'node:timers/promises';
import { answer, connectX } from '../../scripts/stack/x-client.ts';
import { startXvfb, type Xvfb } from '../../scripts/stack/xvfb.ts';

declare module 'x11' {
  interface Client {
    require(extension: 'xtest', done: (error: Error | null, xtest: XTest) => void): void;
  }
  interface XTest {
    FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
  }
}

/** Pixmap format that carries whole pixels, and a mask of all planes. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Numbers of X events; X11 protocol. */
const KEY_PRESS = 2;
const KEY_RELEASE = 3;
const MOTION = 6;

/** A window that is mapped, as all its ancestors are. */
const VIEWABLE = 2;

/** Reply to GetGeometry. */
interface WindowShape {
  xPos: number;
  yPos: number;
  width: number;
  height: number;
  borderWidth: number;
}

/** Deadline of all waits here except the one for a hundred megabytes. */
const PIXELS_DEADLINE_MS = 20_000;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Area of a cell of a terminal at the corner of the screen. */
export function cellArea(column: number, row: number): Area {
  return { x: 2 + 6 * column, y: 2 + 13 * row, width: 6, height: 13 };
}

/** A private X server, and a connection that watches pixels and presses keys. */
export interface Desktop extends AsyncDisposable {
  readonly environment: Xvfb['environment'];
  readonly server: Xvfb['process'];
  /** The pixels of an area of the screen. */
  look(area: Area): Promise<Buffer>;
  /**
   * The area, with border, of the first window at the left edge whose top is at `top`; undefined while there is no such
   * window.
   */
  windowAt(top: number): Promise<Area | undefined>;
  /** Looks repeatedly until the area is as wanted; returns the time when it was. */
  watch(area: Area, isAsWanted: (pixels: Buffer) => boolean, pauseMs?: number): Promise<number>;
  press(keycode: number): void;
  release(keycode: number): void;
  /** Moves the pointer into the terminal, which gives it the focus; by default into one at the corner of the screen. */
  point(at?: { x: number; y: number }): void;
}

export async function startDesktop(folder: string): Promise<Desktop> {
  const xvfb = await startXvfb({ folder });
  const { client, screen } = await connectX(xvfb.environment);
  const root = screen[0]?.root ?? 0;
  const xtest = await answer<import('x11').XTest>('its test extension', (done) => {
    client.require('xtest', (error, extension) => done(error, extension));
    return true;
  });
  const look = async ({ x, y, width, height }: Area): Promise<Buffer> => {
    const { data } = await answer<{ data: Buffer }>('the pixels of an area', (reply) =>
      client.GetImage(Z_PIXMAP, root, x, y, width, height, ALL_PLANES, reply),
    );
    return data;
  };
  return {
    environment: xvfb.environment,
    server: xvfb.process,
    look,
    windowAt: async (top) => {
      const { children } = await answer<{ children: number[] }>('the windows', (reply) =>
        client.QueryTree(root, reply),
      );
      for (const window of children) {
        const { mapState } = await answer<{ mapState: number }>('the state of a window', (reply) =>
          client.GetWindowAttributes(window, reply),
        );
        if (mapState !== VIEWABLE) continue;
        const shape = await answer<WindowShape>('the size of a window', (reply) => client.GetGeometry(window, reply));
        const { xPos: x, yPos: y, width, height, borderWidth } = shape;
        if (x === 0 && y === top) return { x, y, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
      }
      return undefined;
    },
    watch: async (area, isAsWanted, pauseMs) => {
      const deadline = performance.now() + PIXELS_DEADLINE_MS;
      for (;;) {
        const pixels = await look(area);
        const now = performance.now();
        if (isAsWanted(pixels)) return now;
        if (now > deadline) throw new Error(`after ${PIXELS_DEADLINE_MS} ms the pixels are still not as wanted`);
        if (pauseMs !== undefined) await delay(pauseMs);
      }
    },
    press: (keycode) => xtest.FakeInput(KEY_PRESS, keycode, 0, 0, 0, 0),
    release: (keycode) => xtest.FakeInput(KEY_RELEASE, keycode, 0, 0, 0, 0),
    point: ({ x, y } = { x: 300, y: 250 }) => xtest.FakeInput(MOTION, 0, 0, root, x, y),
    [Symbol.asyncDispose]: async () => {
      client.terminate();
      await xvfb.process.stop();
    },
  };
}
