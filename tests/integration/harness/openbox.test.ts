import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectX } from '../../../scripts/stack/x-client.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { isFramed, mapWindow, startWindowManager } from '../../harness/openbox.ts';

/** Openbox starts for some 30 ms, and a window that is mapped at the wrong moment stays hidden until the next event. */
const MOMENTS_MS = [0, 15, 20, 25, 30, 35, 40];

test('the second window manager of a screen shows a window at once when it is started', async ({ desktop }) => {
  const display = await connectX(desktop.environment);
  for (const moment of MOMENTS_MS) {
    await using _manager = await startWindowManager(desktop);
    await delay(moment);
    const window = mapWindow(display);
    await waitFor('the window has a frame', () => isFramed(display, window));
    display.client.DestroyWindow(window);
  }
  display.client.terminate();
});
