import { setTimeout as delay } from 'node:timers/promises';
import { answer, connectX, type XServerAddress } from '../../scripts/stack/x-client.ts';
import type { Random } from './screen-stream.ts';

const COVERS = 3;

/**
 * Range of the window's corner, in which a part of the window may be off the screen, and range of the windows that
 * cover it.
 */
const PLACES = { left: -300, top: -200, width: 500, height: 400 } as const;
const COVERS_BELOW = { x: 600, y: 500 } as const;

export interface Disturbance extends AsyncDisposable {
  /** Takes away what covers the window, and moves it to a place where all of it is on the screen. */
  end(): Promise<void>;
}

/** Makes other windows appear, move and disappear above a window from now on, and moves it too. */
export async function disturbWindow(server: XServerAddress, window: number, random: Random): Promise<Disturbance> {
  const { client, screen } = await connectX(server);
  const { root = 0, pixel_width: width = 1, pixel_height: height = 1 } = screen[0] ?? {};
  const covers = Array.from({ length: COVERS }, () => {
    const id = client.AllocID();
    client.CreateWindow(id, root, 0, 0, 60, 60, 0, 0, 0, 0, { backgroundPixel: 0xff00ff, overrideRedirect: 1 });
    return id;
  });
  const steps = [
    (cover: number) => client.MapWindow(cover),
    (cover: number) => client.MapWindow(cover),
    (cover: number) => client.UnmapWindow(cover),
    (cover: number) =>
      client.ConfigureWindow(cover, { x: random(COVERS_BELOW.x), y: random(COVERS_BELOW.y), stackMode: 0 }),
    // Over all of it, wherever it is.
    (cover: number) => client.ConfigureWindow(cover, { x: 0, y: 0, width, height, stackMode: 0 }),
    (cover: number) =>
      client.ConfigureWindow(cover, {
        x: random(COVERS_BELOW.x),
        y: random(COVERS_BELOW.y),
        width: 1 + random(300),
        height: 1 + random(200),
        stackMode: 0,
      }),
    () =>
      client.ConfigureWindow(window, {
        x: PLACES.left + random(PLACES.width),
        y: PLACES.top + random(PLACES.height),
      }),
  ];
  let isOver = false;
  const disturb = async (): Promise<void> => {
    while (!isOver) {
      for (let count = 1 + random(3); count > 0; count -= 1) steps[random(steps.length)]?.(covers[random(COVERS)] ?? 0);
      await answer('the focus', (reply) => client.GetInputFocus(reply));
      await delay(random(4));
    }
  };
  const disturbing = disturb();
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await disturbing;
    for (const cover of covers) client.DestroyWindow(cover);
    client.ConfigureWindow(window, { x: 0, y: 0 });
    await answer('the focus', (reply) => client.GetInputFocus(reply));
    client.terminate();
  };
  return { end, [Symbol.asyncDispose]: end };
}
