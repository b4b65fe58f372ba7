import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { readMenuRows } from '../../conformance/requirements/menu-entries.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { PLAIN_MENUS, postMenu } from '../../harness/shown-menu.ts';
import { type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';
import { lookOf } from './menu-labels.ts';
import { chosenMode, startSpokenTerminal } from './menu-modes.ts';
import { countColor } from './pixels.ts';

const RED = 0xcd0000;

const reds = async (terminal: StartedTerminal): Promise<number> => countColor(await terminal.screenshot(), RED);

test('entries of VT Options that are unavailable are grey, and the others are not', async ({ desktop }) => {
  verifies(
    'termprog.menu.vt.enable-jump-scroll',
    'termprog.menu.vt.allow-80-132-column-switching',
    'termprog.menu.vt.enable-visual-bell',
    'termprog.menu.vt.do-soft-reset',
    'termprog.menu.vt.show-tek-window',
    'termprog.translation.exactly-Ctrl-with-Btn2Down',
  );
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const menu = await postMenu(desktop, terminal, 'vtMenu');
  const picture = await menu.picture();

  for (const { entries, isUnavailable } of readMenuRows().filter((row) => row.menu === 'vtMenu')) {
    for (const { name, label } of entries) {
      const look = await lookOf(connection, picture, menu.topOf(name), label);
      expect([label, look]).toEqual([label, isUnavailable ? 'grey' : 'plain']);
    }
  }
  await menu.release();
});

for (const [entry, mode] of [
  ['autowrap', '?7'],
  ['reversewrap', '?45'],
  ['autolinefeed', '20'],
  ['appcursor', '?1'],
  ['appkeypad', '?66'],
] as const) {
  test(`the entry ${entry} changes mode ${mode}, and shows what applications make of it`, async ({ desktop }) => {
    verifies(
      'termprog.menu.vt.enable-auto-wraparound',
      'termprog.menu.vt.enable-reverse-wraparound',
      'termprog.menu.vt.enable-auto-linefeed',
      'termprog.menu.vt.enable-application-cursor-keys',
      'termprog.menu.vt.enable-application-keypad',
    );
    await chosenMode(desktop, { menu: 'vtMenu', entry, mode });
  });
}

test('Enable Reverse Video makes the window black, and white again', async ({ desktop }) => {
  verifies('termprog.menu.vt.enable-reverse-video');
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script: 'sleep 60' });
  const blacks = async (): Promise<number> => countColor(await terminal.screenshot(), 0);
  await (await postMenu(desktop, terminal, 'vtMenu')).choose('reversevideo');
  await waitFor('it is black', async () => (await blacks()) > 150_000);

  await (await postMenu(desktop, terminal, 'vtMenu')).choose('reversevideo');

  await waitFor('it is white', async () => (await blacks()) < 1_000);
});

test('Scroll to Bottom on Key Press returns to the newest line when a key is pressed', async ({ desktop }) => {
  verifies('termprog.menu.vt.scroll-to-bottom-on-key-press');
  const script = "stty -echo; seq 1 200; printf '\\033[41m        \\033[m'; sleep 60";
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script });
  await waitFor('the last line shows', async () => (await reds(terminal)) > 100);
  await (await postMenu(desktop, terminal, 'vtMenu')).choose('scrollkey');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'shift+Prior');
  await waitFor('it is out of sight', async () => (await reds(terminal)) === 0);

  await desktop.run('xdotool', 'key', 'x');

  await waitFor('it is back', async () => (await reds(terminal)) > 100);
});

test('without Scroll to Bottom on Tty Output the view stays where it is', async ({ desktop }) => {
  verifies('termprog.menu.vt.scroll-to-bottom-on-tty-output');
  const [go, done] = [desktop.newFile(), desktop.newFile()];
  const script = `seq 1 200; printf '\\033[41m        \\033[m'; while [ ! -e ${go} ]; do sleep 0.02; done; seq 1 3; printf '\\033[21t\\033]2;done\\007'; sleep 60`;
  await using terminal = await startTermprog(desktop, { args: PLAIN_MENUS, script });
  await waitFor('the last line shows', async () => (await reds(terminal)) > 100);
  await (await postMenu(desktop, terminal, 'vtMenu')).choose('scrollttyoutput');
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`, 'key', 'shift+Prior');
  await waitFor('it is out of sight', async () => (await reds(terminal)) === 0);

  writeFileSync(go, done);

  // Titles are written with frames: when this one shows, the output before it would show, too.
  const title = (): Promise<string> => desktop.run('xprop', '-id', `${terminal.window}`, 'WM_NAME');
  await waitFor('the output has come', async () => (await title()).includes('"done"'));
  expect(await reds(terminal)).toBe(0);
});

test('with Select to Clipboard SELECT means CLIPBOARD', async ({ desktop, atoms: { clipboard, utf8String }, peer }) => {
  verifies('termprog.menu.vt.select-to-clipboard');
  await using spoken = await startSpokenTerminal(desktop, { args: ['-xrm', '*allowWindowOps: true'] });
  const write = (text: string): Promise<string> => spoken.ask(`\x1b]52;s;${Buffer.from(text).toString('base64')}\x07`);
  const isGiven = (selection: number, text: string): Promise<unknown> =>
    waitFor(`${text} is given`, async () => (await peer.convert(selection, utf8String))?.data.toString() === text);
  await write('first');
  await isGiven(ATOMS.PRIMARY, 'first');

  await (await postMenu(desktop, spoken.terminal, 'vtMenu')).choose('selectToClipboard');
  await write('second');

  await isGiven(clipboard, 'second');
});
