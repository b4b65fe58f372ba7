import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { closeAsUser } from '../../harness/close-window.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { restingPicture } from '../../harness/resting-picture.ts';
import { ATOMS, startSelectionPeer } from '../../harness/selection-peer.ts';
import { KEY_PRESS, KEY_RELEASE, RETURN, sendKeyEvents } from '../../harness/sent-keys.ts';
import { contentOf, type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';
import { typeCharacters } from '../../harness/type-characters.ts';
import { startWrittenTerminal } from '../../harness/written-terminal.ts';
import { boundsOf, countColor } from './pixels.ts';

const FOUND = 0xffe566;
const ACTIVE = 0xff9632;

/** A cell of `fixed`, and the window's border. */
const CELL = { width: 6, height: 13 };
const BORDER = 2;

const key = (...keys: string[]): Promise<string> => desktop.run('xdotool', 'key', '--delay', '2', ...keys);
const type = (text: string): Promise<string> => desktop.run('xdotool', 'type', '--delay', '2', text);

const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, line) => `${text} ${line + 1}\r\n`).join('');

test('Control and Shift with f opens the search, typing goes to a match in the history, Return copies it', async () => {
  verifies('termprog.action.start-search', 'termprog.translation.Ctrl-Shift-KeyPress-f');
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  await write(`${lines(50)}The Needle 1\r\n${lines(50)}The Needle 2\r\n${lines(50)}`);
  await focus(terminal);

  await key('ctrl+shift+f');
  await waitFor('the bar is there', () => hasBar(terminal));
  await type('needle');
  // Each letter moves the match.
  await waitFor('the whole word is shown as the match', async () => {
    const bounds = boundsOf(await terminal.screenshot(), ACTIVE);
    const place = { x: BORDER + 4 * CELL.width, width: 6 * CELL.width, height: CELL.height };
    return bounds !== undefined && isDeepStrictEqual({ ...bounds, y: 0 }, { ...place, y: 0 });
  });
  await type(' 2');
  await key('Return');

  await waitFor('it is copied', async () => (await primary()) === 'Needle 2');
  expect(await hasBar(terminal)).toBe(false);
});

test('Up and Down, and F3 with and without Shift, move between matches, and the child gets none of the keys', async () => {
  verifies('termprog.action.start-search');
  const file = desktop.newFile();
  const script = `stty raw -echo; printf 'hit 1\\r\\nhit 2\\r\\nhit 3\\r\\n'; dd bs=1 count=1 of=${file} 2>/dev/null; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  await focus(terminal);
  await key('ctrl+shift+f');
  await type('hit');
  const at = (row: number) => waitFor(`row ${row} is active`, async () => (await activeRow(terminal)) === row);
  await at(2);
  expect(countColor(await terminal.screenshot(), FOUND)).toBeGreaterThan(200);

  await key('Up');
  await at(1);
  await key('shift+F3');
  await at(0);
  await key('F3');
  await at(1);
  await key('Down');
  await at(2);
  await key('BackSpace', 'BackSpace', 'BackSpace');
  await waitFor('nothing is marked', async () => (await activeRow(terminal)) === undefined);
  await key('F5', 'ctrl+d', 'alt+x', 'Prior', 'Escape');
  await key('z');

  await waitFor('the next key is the first', () => contentOf(file) === 'z');
});

test('Escape shows what was shown before', async () => {
  verifies('termprog.action.start-search');
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  await write(`needle\r\n${lines(80)}`);
  await focus(terminal);
  const look = async (): Promise<string> => (await terminal.screenshot()).data.toString('base64');
  const live = (await restingPicture(terminal)).data.toString('base64');
  await key('shift+Prior');
  await waitFor('older lines are shown', async () => (await look()) !== live);
  const before = (await restingPicture(terminal)).data.toString('base64');

  await key('ctrl+shift+f');
  await type('needle');
  await waitFor('the match is shown', async () => (await activeRow(terminal)) !== undefined);
  await key('Escape');

  await waitFor('it is as before', async () => (await look()) === before);
});

test('the match stays where it is while output comes, and after another size', async () => {
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  // These other lines do not have the first letter of the search text.
  await write(`${lines(40, 'other')}needle\r\n${lines(40, 'other')}`);
  await focus(terminal);
  await key('ctrl+shift+f');
  await type('needle');
  const row = await waitFor('the match is shown', () => activeRow(terminal));

  await write(lines(30, 'more'));
  expect(await activeRow(terminal)).toBe(row);
  await desktop.run('xdotool', 'windowsize', '--sync', `${terminal.window}`, '244', '160');

  await waitFor('it is shown in the new window', async () => {
    const shot = await terminal.screenshot();
    return shot.width === 244 && boundsOf(shot, ACTIVE)?.width === 6 * CELL.width;
  });
});

test('a match in the last row is not hidden by the bar', async () => {
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  await write(`${lines(30)}needle`);
  await focus(terminal);
  await key('ctrl+shift+f');
  await type('needle');

  await waitFor('it is shown', async () => (await activeRow(terminal)) === 23);
  expect(await hasBar(terminal, 0)).toBe(true);
});

test('the middle button and Shift with Insert put the selection into the search, not into the child', async ({
  peer,
}) => {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf 'one needle\\r\\n'; dd bs=1 count=1 of=${file} 2>/dev/null; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  await peer.own(
    ATOMS.PRIMARY,
    () => ({ type: ATOMS.STRING, format: 8, data: Buffer.from('needle\nrm -rf') }) as never,
  );
  await focus(terminal);
  await key('ctrl+shift+f');
  await desktop.run('xdotool', 'mousemove', '--window', `${terminal.window}`, '100', '100', 'click', '2');
  await waitFor('it is found', async () => (await activeRow(terminal)) === 0);
  await key('ctrl+u', 'shift+Insert');
  await waitFor('it is found again', async () => (await activeRow(terminal)) === 0);
  await key('Escape', 'z');

  await waitFor('the next key is the first', () => contentOf(file) === 'z');
});

test('applications can neither close the search nor read it', async () => {
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  await write('needle\r\n');
  await focus(terminal);
  await key('ctrl+shift+f');
  await type('needle');
  await waitFor('it is found', async () => (await activeRow(terminal)) === 0);

  await write('\x1bc\x1b[?1049h\x1b[2J\x1b[3;1Hneedle\x1b[12;1Hneedle\x1b[H');
  await waitFor('both are marked', async () => countColor(await terminal.screenshot(), FOUND) > 200);
  await write('\x1b[?1049l\x1bcneedle\r\n');

  await waitFor('it is found once more', async () => (await activeRow(terminal)) === 0);
  expect(countColor(await terminal.screenshot(), FOUND)).toBe(0);
  expect(await hasBar(terminal)).toBe(true);
});

test('a window that is closed during a search ends at once', async () => {
  await using terminal = await startTermprog(desktop, { args: ['-sl', '100000'], script: 'seq 1 100000; sleep 60' });
  await focus(terminal);
  await key('ctrl+shift+f');
  await type('99');
  await waitFor('a match is shown', async () => (await activeRow(terminal)) !== undefined);
  await closeAsUser(desktop, terminal.window);

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('characters beyond ASCII are found as they are typed', async () => {
  await using written = await startWrittenTerminal(desktop);
  const { terminal, write } = written;
  await write('Größe 5€\r\n');
  await focus(terminal);
  await key('ctrl+shift+f');
  await typeCharacters(desktop, 'röße 5€');

  await waitFor('it is found', async () => boundsOf(await terminal.screenshot(), ACTIVE)?.width === 7 * CELL.width);
});

test('a key that closes the search has no further effect until it is released', async () => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf needle; cat > ${file}`,
  });
  await focus(terminal);
  await key('ctrl+shift+f', ...'needle');
  await waitFor('it is found', () => activeRow(terminal));

  await sendKeyEvents(desktop, terminal, [KEY_PRESS, KEY_PRESS, KEY_PRESS, KEY_RELEASE], RETURN);
  await key('x', 'Return');

  await waitFor('the next keys are typed', () => contentOf(file).endsWith('x\r'));
  expect(contentOf(file)).toBe('x\r');
});

test('a key that closes the search and is let go in another window is typed when it is pressed again', async () => {
  const file = desktop.newFile();
  await using other = await startTermprog(desktop, { script: 'sleep 60' });
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf needle; cat > ${file}`,
  });
  await focus(terminal);
  await key('ctrl+shift+f', ...'needle');
  await waitFor('it is found', () => activeRow(terminal));
  await desktop.run('xdotool', 'keydown', 'Return', 'windowfocus', '--sync', `${other.window}`, 'keyup', 'Return');
  await focus(terminal);

  await key('Return', 'x');

  await waitFor('the keys are typed', () => contentOf(file).endsWith('x'));
  expect(contentOf(file)).toBe('\rx');
});

async function focus({ window }: StartedTerminal): Promise<void> {
  await desktop.run('xdotool', 'windowfocus', '--sync', `${window}`);
}

/** Returns the row of the active match; undefined while it is not visible. */
async function activeRow(terminal: StartedTerminal): Promise<number | undefined> {
  const bounds = boundsOf(await terminal.screenshot(), ACTIVE);
  return bounds && Math.floor((bounds.y - BORDER) / CELL.height);
}

/** Whether the search bar lies on a row: its paper makes most pixels of the row black. */
async function hasBar(terminal: StartedTerminal, row = 23): Promise<boolean> {
  const { data, width } = await terminal.screenshot();
  let black = 0;
  for (let y = BORDER + row * CELL.height; y < BORDER + (row + 1) * CELL.height; y += 1)
    for (let x = BORDER; x < width - BORDER; x += 1)
      if ((data[4 * (y * width + x)] ?? 255) + (data[4 * (y * width + x) + 1] ?? 255) === 0) black += 1;
  return black > 0.6 * 80 * CELL.width * CELL.height;
}

async function primary(): Promise<string | undefined> {
  using peer = await startSelectionPeer(desktop.environment);
  return (await peer.convert(ATOMS.PRIMARY, await peer.intern('UTF8_STRING')))?.data.toString('utf8');
}
