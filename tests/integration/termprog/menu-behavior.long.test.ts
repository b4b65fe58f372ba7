import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { listenForBell } from '../../harness/bell-listener.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { KEY_PRESS, RETURN, sendKeyEvents } from '../../harness/sent-keys.ts';
import { awaitMenu, isChecked, isHighlighted, PLAIN_MENUS, postMenu, shownWindows } from '../../harness/shown-menu.ts';
import { contentOf, type StartedTerminal, startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { countColor } from './pixels.ts';

afterEach(async () => {
  await desktop.run('xdotool', 'mouseup', '1', 'mouseup', '2', 'mouseup', '3', 'keyup', 'ctrl');
});

const KEY_BINDING = ['-xrm', '*vt100.translations: #override \\n <Key>F5: popup-menu(vtMenu)'];

const start = (args: readonly string[] = [], script = 'sleep 60'): Promise<StartedTerminal> =>
  startTermprog(desktop, { args: [...PLAIN_MENUS, ...args], script });

/** Shows a menu by a key, which holds no button. */
async function postByKey(terminal: StartedTerminal) {
  const before = await shownWindows(desktop);
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '100', '100');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'F5');
  return awaitMenu(desktop, 'vtMenu', { before, release: async () => {} });
}

const isReversed = async (terminal: StartedTerminal): Promise<boolean> =>
  countColor(await terminal.screenshot(), 0) > 150_000;

test('a click that is over at once, a title, a line and a grey entry choose no entry', async () => {
  await using terminal = await start();
  for (const name of ['jumpscroll', 'softreset']) {
    const menu = await postMenu(desktop, terminal, 'vtMenu');
    await menu.choose(name);
  }
  const titled = await postMenu(desktop, terminal, 'vtMenu');
  await desktop.run('xdotool', 'mousemove', `${titled.x + 60}`, `${titled.y + 8}`);
  await titled.release();
  await waitFor('the menu is gone', async () => !(await titled.isShown()));
  const before = await shownWindows(desktop);

  await desktop.run(
    'xdotool',
    'mousemove',
    '--window',
    `${terminal.window}`,
    '12',
    '12',
    'keydown',
    'ctrl',
    'click',
    '1',
    'keyup',
    'ctrl',
  );

  await waitFor('only the terminal is there', async () => (await shownWindows(desktop)).length === before.length);
  expect(countColor(await terminal.screenshot(), 0xffffff)).toBeGreaterThan(140_000);
});

test('Escape takes a menu away, and no key goes to the application meanwhile', async () => {
  const file = desktop.newFile();
  await using terminal = await start(KEY_BINDING, `stty raw -echo; cat > ${file}`);
  const menu = await postByKey(terminal);

  await desktop.run('xdotool', 'key', 'a', 'b', 'Escape');

  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  await desktop.run('xdotool', 'key', 'c');
  await waitFor('keys go to the application again', () => contentOf(file) === 'c');
});

test('arrow keys pass over what cannot be chosen, and Return chooses', async () => {
  await using terminal = await start(KEY_BINDING);
  const menu = await postByKey(terminal);
  const highlighted = (name: string): Promise<unknown> =>
    waitFor(`${name} is highlighted`, async () => isHighlighted(await menu.picture(), menu.topOf(name)));
  await desktop.run('xdotool', 'key', 'Down');
  await highlighted('scrollbar');
  await desktop.run('xdotool', 'key', 'Down');
  // The entry Jump Scroll stands between them.
  await highlighted('reversevideo');
  await desktop.run('xdotool', 'key', 'Up', 'Up');
  await highlighted('selectToClipboard');
  await desktop.run('xdotool', 'key', 'Home', 'Down', 'Return');

  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  await waitFor('the window is black', () => isReversed(terminal));
});

test('a key that ends a menu has no further effect until it is released', async () => {
  const file = desktop.newFile();
  await using terminal = await start(KEY_BINDING, `stty raw -echo; cat > ${file}`);
  const menu = await postByKey(terminal);
  await desktop.run('xdotool', 'key', 'Home', 'keydown', 'Return');
  await waitFor('the menu is gone', async () => !(await menu.isShown()));

  await sendKeyEvents(desktop, terminal, [KEY_PRESS, KEY_PRESS], RETURN);
  await desktop.run('xdotool', 'keyup', 'Return', 'key', 'x', 'Return');

  await waitFor('the next keys are typed', () => contentOf(file).endsWith('x\r'));
  expect(contentOf(file)).toBe('x\r');
});

test('a key that ends a menu and is let go in another window is typed when it is pressed again', async () => {
  const file = desktop.newFile();
  await using other = await start();
  await using terminal = await start(KEY_BINDING, `stty raw -echo; cat > ${file}`);
  const menu = await postByKey(terminal);
  await desktop.run('xdotool', 'key', 'Home', 'keydown', 'Return');
  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${other.window}`, 'keyup', 'Return');

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'Return', 'x');

  await waitFor('the keys are typed', () => contentOf(file).endsWith('x'));
  expect(contentOf(file)).toBe('\rx');
});

test('a menu that a key shows stays until a button is pressed and let go on an entry', async () => {
  await using terminal = await start(KEY_BINDING);
  const menu = await postByKey(terminal);
  await menu.pointAt('reversevideo');

  await desktop.run('xdotool', 'click', '1');

  await waitFor('the menu is gone', async () => !(await menu.isShown()));
  await waitFor('the window is black', () => isReversed(terminal));
});

test('where another program has the pointer no menu is shown, and the bell rings', async () => {
  await using terminal = await start(['-log', 'debug', ...KEY_BINDING]);
  await using connection = await openTestConnection(desktop);
  const { x } = connection;
  const status = await x.ask<number>('the pointer', (client, reply) =>
    client.GrabPointer(x.screen.root, 0, 4, 1, 1, 0, 0, 0, reply),
  );
  expect(status).toBe(0);
  const before = await shownWindows(desktop);
  await using bell = await listenForBell(desktop);

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'F5');

  await bell.rings();
  expect(await shownWindows(desktop)).toEqual(before);
  x.client.UngrabPointer(0);
  await connection.x.internAtom('done');
  const menu = await postByKey(terminal);
  await desktop.run('xdotool', 'key', 'Escape');
  await waitFor('the menu is gone', async () => !(await menu.isShown()));
});

test('a name that no menu has rings the bell', async () => {
  verifies('termprog.action.popup-menu');
  await using terminal = await start([
    '-xrm',
    '*vt100.translations: #override \\n <Key>F6: popup-menu(tekMenu)\\n <Key>F7: popup-menu()',
  ]);
  for (const key of ['F6', 'F7']) {
    await using bell = await listenForBell(desktop);
    await bell.rings(() => desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', key));
  }
});

test('the end of the child takes the menu away, and gives the pointer back', async () => {
  const file = desktop.newFile();
  const terminal = await start([], `while [ ! -e ${file} ]; do sleep 0.02; done`);
  const menu = await postMenu(desktop, terminal, 'mainMenu');
  await desktop.run('sh', '-c', `: > ${file}`);
  expect((await terminal.process.ended).exitCode).toBe(0);

  expect(await menu.isShown()).toBe(false);
  await using connection = await openTestConnection(desktop);
  const { x } = connection;
  await desktop.run('xdotool', 'mouseup', '1');
  const status = await x.ask<number>('the pointer', (client, reply) =>
    client.GrabPointer(x.screen.root, 0, 4, 1, 1, 0, 0, 0, reply),
  );
  expect(status).toBe(0);
});

test('the loss of the server while a menu is shown ends the terminal as always', async () => {
  const other = await startXDesktop();
  const terminal = await startTermprog(other, { args: PLAIN_MENUS, script: 'sleep 60' });
  await postMenu(other, terminal, 'mainMenu');

  other.endServer();

  expect((await terminal.process.ended).exitCode).toBe(1);
  expect(terminal.process.output().trim().split('\n')).toHaveLength(1);
  await other[Symbol.asyncDispose]();
});

test('a menu stays on the screen, and one that is higher than it has columns', async () => {
  const low = await startXDesktop(['-screen', '0', '700x300x24']);
  try {
    await using terminal = await startTermprog(low, {
      args: [...PLAIN_MENUS, '-geometry', '40x10+400+100'],
      script: 'sleep 60',
    });
    const menu = await postMenu(low, terminal, 'mainMenu');
    expect(menu.y + menu.height).toBeLessThanOrEqual(300);
    expect(menu.x + menu.width).toBeLessThanOrEqual(700);
    // Quit is the last entry of the last column.
    await low.run('xdotool', 'key', 'End', 'Return');

    expect((await terminal.process.ended).exitCode).toBe(0);
  } finally {
    await low[Symbol.asyncDispose]();
  }
});

test('a menu whose columns would reach beyond what windows can have is shown, and chosen from', async () => {
  const args = ['*mainMenu*rowHeight: 4000', '*mainMenu*leftMargin: 4000', '*mainMenu*rightMargin: 4000'];
  await using terminal = await start(args.flatMap((resource) => ['-xrm', resource]));
  const before = await shownWindows(desktop);
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '30', '12');
  await desktop.run('xdotool', 'keydown', 'ctrl', 'mousedown', '1', 'keyup', 'ctrl');
  const menu = await waitFor('the menu is shown', async () =>
    (await shownWindows(desktop)).find((candidate) => !before.includes(candidate)),
  );
  const width = Number(/Width: (\d+)/.exec(await desktop.run('xwininfo', '-id', `${menu}`))?.[1]);
  expect(width).toBeGreaterThan(20_000);
  expect(width).toBeLessThan(32_768);
  // Quit is the last entry of the last column.
  await desktop.run('xdotool', 'key', 'End', 'Return');

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('menus that come and go are windows of few numbers', async () => {
  await using terminal = await start(KEY_BINDING);
  const windows = new Set<number>();
  for (let time = 0; time < 12; time += 1) {
    const menu = await postByKey(terminal);
    windows.add(menu.window);
    await desktop.run('xdotool', 'key', 'Escape');
    await waitFor('the menu is gone', async () => !(await menu.isShown()));
  }
  // The numbers of a menu's other things take turns with it.
  expect(windows.size).toBeLessThan(8);
});

test('a menu shows what an action has changed, and its toggle works with the locks of the keyboard on', async () => {
  verifies('termprog.action.allow-title-ops', 'termprog.action.allow-color-ops');
  const keys = [
    '-xrm',
    '*vt100.translations: #override \\n <Key>F5: allow-title-ops(off)\\n <Key>F6: allow-color-ops(OFF)',
  ];
  await using terminal = await start(keys);
  await desktop.run(
    'xdotool',
    'windowfocus',
    '--sync',
    `${terminal.window}`,
    'key',
    'F5',
    'key',
    'F6',
    'key',
    'Caps_Lock',
    'key',
    'Num_Lock',
  );

  const menu = await postMenu(desktop, terminal, 'fontMenu');
  const picture = await menu.picture();
  expect(
    ['allow-title-ops', 'allow-color-ops', 'allow-tcap-ops'].map((name) => isChecked(picture, menu.topOf(name))),
  ).toEqual([false, false, true]);
  await menu.choose('allow-title-ops');
  const again = await postMenu(desktop, terminal, 'fontMenu');
  expect(isChecked(await again.picture(), again.topOf('allow-title-ops'))).toBe(true);
  await again.release();
  await desktop.run('xdotool', 'key', 'Caps_Lock', 'key', 'Num_Lock');
});

test('a toggle action that asks for the state in effect, or for nonsense, only rings the bell', async () => {
  verifies('termprog.action.allow-title-ops', 'termprog.action.allow-color-ops', 'termprog.action.set-utf8-title');
  const actions = ['allow-title-ops(on)', 'allow-color-ops(perhaps)', 'set-utf8-title(on)'];
  const bindings = actions.map((action, index) => `<Key>F${5 + index}: ${action}`).join('\\n ');
  await using terminal = await start(['-xrm', `*vt100.translations: #override \\n ${bindings}`]);
  for (const key of ['F5', 'F6', 'F7']) {
    await using bell = await listenForBell(desktop);
    await bell.rings(() => desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', key));
  }
  const menu = await postMenu(desktop, terminal, 'fontMenu');
  const picture = await menu.picture();
  expect(
    ['allow-title-ops', 'allow-color-ops', 'utf8-title'].map((name) => isChecked(picture, menu.topOf(name))),
  ).toEqual([true, true, true]);
  await menu.release();
});

test('set-utf8-title works in a UTF-8 locale as well', async () => {
  verifies('termprog.action.set-utf8-title');
  await using terminal = await start(['-xrm', '*vt100.translations: #override \\n <Key>F5: set-utf8-title()']);
  const properties = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`);
  await waitFor('the title is written in UTF-8', async () => (await properties()).includes('_NET_WM_NAME('));
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'F5');
  await waitFor('it is no longer', async () => !(await properties()).includes('_NET_WM_NAME('));

  await desktop.run('xdotool', 'key', 'F5');

  await waitFor('it is again', async () => (await properties()).includes('_NET_WM_NAME('));
});
