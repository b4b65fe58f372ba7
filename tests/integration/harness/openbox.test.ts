import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startWindowManager } from '../../harness/openbox.ts';
import { openTestConnection, type TestConnection } from '../../harness/test-connection.ts';

/** Openbox starts for some 30 ms, and a window that is mapped at the wrong moment stays hidden until the next event. */
const MOMENTS_MS = [0, 15, 20, 25, 30, 35, 40];

test('the second window manager of a screen shows a window at once when it is started', async ({ desktop }) => {
  await using connection = await openTestConnection(desktop);
  for (const moment of MOMENTS_MS) {
    await using _manager = await startWindowManager(desktop);
    await delay(moment);
    const window = mapWindow(connection);
    await waitFor('the window has a frame', () => isFramed(connection, window));
    connection.x.client.DestroyWindow(window);
  }
});

function mapWindow({ x: { client, screen } }: TestConnection): number {
  const window = client.AllocID();
  client.CreateWindow(window, screen.root, 0, 0, 20, 20, 0, 0, 0, 0, {});
  client.MapWindow(window);
  return window;
}

async function isFramed({ x }: TestConnection, window: number): Promise<boolean> {
  const { parent } = await x.ask<{ parent: number }>('the parent of a window', (client, reply) =>
    client.QueryTree(window, reply),
  );
  return parent !== x.screen.root;
}
