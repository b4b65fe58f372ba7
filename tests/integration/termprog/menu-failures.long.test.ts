import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startCountingServer } from '../../harness/counting-x-server.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { startRefusingServer } from '../../harness/refusing-x-server.ts';
import { shownWindows } from '../../harness/shown-menu.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';

/** Codes of requests and of an event; X11 protocol. */
const CREATE_WINDOW = 1;
const MAP_WINDOW = 8;
const OPEN_FONT = 45;
const GRAB_POINTER = 26;
const GRAB_KEYBOARD = 31;

const ALREADY_GRABBED = 1;
const BUTTON_PRESS_MASK = 4;

/** One way between terminal and server, as far apart as continents. */
const FAR_MS = 150;

afterEach(async () => {
  await desktop.run('xdotool', 'mouseup', '1', 'keyup', 'ctrl');
});

const pressWithControl = (window: number): Promise<string> =>
  desktop.run('xdotool', 'mousemove', '--window', `${window}`, '24', '12', 'keydown', 'ctrl', 'mousedown', '1');

test('a menu for which the server has no room leaves pointer and keyboard to everybody', async () => {
  let isShort = false;
  await using server = await startRefusingServer(
    desktop.environment.DISPLAY,
    ([opcode]) => isShort && opcode === CREATE_WINDOW,
  );
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; cat > ${file}`,
    environment: { DISPLAY: server.display },
  });
  isShort = true;

  await pressWithControl(terminal.window);
  await waitFor('the window of the menu is refused', () => server.refused() > 0);
  await desktop.run('xdotool', 'mouseup', '1', 'keyup', 'ctrl');

  await waitFor('the pointer is free', async () => !(await isPointerHeld()));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'c');
  await waitFor('keys go to the application', () => contentOf(file) === 'c');
  isShort = false;
});

for (const [what, opcode] of [
  ['pointer', GRAB_POINTER],
  ['keyboard', GRAB_KEYBOARD],
] as const) {
  test(`a menu to which the server refuses the ${what} takes nothing from other programs`, async () => {
    await using server = await startRefusingServer(desktop.environment.DISPLAY, ([requested]) => requested === opcode);
    await using terminal = await startTermprog(desktop, {
      script: 'sleep 60',
      environment: { DISPLAY: server.display },
    });
    await pressWithControl(terminal.window);
    await waitFor('it is told', () => terminal.process.output().includes("the menu can't be shown"));
    await desktop.run('xdotool', 'mouseup', '1', 'keyup', 'ctrl');

    await waitFor('both are free', async () => !(await isPointerHeld()) && !(await isKeyboardHeld()), {
      timeoutMs: 3_000,
    });
  });
}

test('a button that is let go while the menu comes up takes it away', async () => {
  await using server = await startCountingServer(desktop.environment.DISPLAY, { delayMs: FAR_MS });
  await using terminal = await startTermprog(desktop, {
    script: 'sleep 60',
    environment: { DISPLAY: server.display },
  });
  const before = await shownWindows(desktop);
  const windows = server.requests(MAP_WINDOW);
  await pressWithControl(terminal.window);
  // It is on its way to the server, with the second wish for the pointer.
  await waitFor('the menu is to be shown', () => server.requests(MAP_WINDOW) > windows);
  expect(server.requests(GRAB_POINTER)).toBe(2);

  await desktop.run('xdotool', 'mouseup', '1', 'keyup', 'ctrl');

  await waitFor('only the terminal is there', async () => {
    const shown = await shownWindows(desktop);
    return server.requests(GRAB_POINTER) >= 2 && shown.length === before.length && !(await isPointerHeld());
  });
});

test('the first of many fonts for the labels of menus are looked for', async () => {
  await using server = await startCountingServer(desktop.environment.DISPLAY);
  const names = Array.from({ length: 1_000 }, (_, index) => `missing${index}`);
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', `*SimpleMenu*fontSet: ${names.join()}`, '-xrm', '*SimpleMenu*Label: no font has this: \u{1f600}'],
    script: 'sleep 60',
    environment: { DISPLAY: server.display },
  });
  const before = await shownWindows(desktop);
  const fonts = server.requests(OPEN_FONT);

  await pressWithControl(terminal.window);

  await waitFor('the menu is shown', async () => (await shownWindows(desktop)).length > before.length);
  expect(server.requests(OPEN_FONT) - fonts).toBeLessThan(100);
});

/** Whether a program holds the pointer for itself. */
async function isPointerHeld(): Promise<boolean> {
  await using connection = await openTestConnection(desktop);
  const { x } = connection;
  const status = await x.ask<number>('the pointer', (client, reply) =>
    client.GrabPointer(x.screen.root, 0, BUTTON_PRESS_MASK, 1, 1, 0, 0, 0, reply),
  );
  return status === ALREADY_GRABBED;
}

/** Whether a program holds the keyboard for itself. */
async function isKeyboardHeld(): Promise<boolean> {
  await using connection = await openTestConnection(desktop);
  const { x } = connection;
  const status = await x.ask<number>('the keyboard', (client, reply) =>
    client.GrabKeyboard(x.screen.root, 0, 0, 1, 1, reply),
  );
  return status === ALREADY_GRABBED;
}
