import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { closeAsUser } from '../../harness/close-window.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';
import { typeCharacters } from '../../harness/type-characters.ts';
import { countColor } from './pixels.ts';

test('typed keys reach the child as the bytes a terminal sends', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf ready > ${file}.ready; dd bs=1 count=18 of=${file} 2>/dev/null; sleep 60`,
  });
  await waitFor('the child reads', () => contentOf(`${file}.ready`) === 'ready');
  const type = (...keys: string[]) => desktop.run('xdotool', 'key', '--clearmodifiers', ...keys);

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await type('a', 'B', 'Return', 'Linefeed', 'BackSpace', 'ctrl+c', 'alt+x', 'Up', 'F1', 'Delete');

  await waitFor('all bytes arrived', () => contentOf(file).length >= 18);
  expect(contentOf(file)).toBe('aB\r\n\x7f\x03\x1bx\x1b[A\x1bOP\x1b[3~');
});

test('text beyond ASCII is typed as UTF-8', async ({ desktop }) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf ready > ${file}.ready; dd bs=1 count=6 of=${file} 2>/dev/null; sleep 60`,
  });
  await waitFor('the child reads', () => contentOf(`${file}.ready`) === 'ready');

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await typeCharacters(desktop, 'éЖ');
  await desktop.run('xdotool', 'key', 'a', 'b');

  await waitFor('all bytes arrived', () => Buffer.byteLength(contentOf(file)) >= 6);
  expect(contentOf(file)).toBe('éЖab');
});

test('resources merged by xrdb are honoured, and the command line is stronger', async ({ desktop }) => {
  verifies(
    'termprog.resource.background',
    'termprog.resource.columns',
    'termprog.resource.rows',
    'termprog.option.xrm',
  );
  const resources = join(desktop.folder, 'resources');
  writeFileSync(resources, 'term*background: #203040\nTerm*vt100.columns: 40\nterm.vt100.rows: 10\n*saveLines: 7\n');
  await desktop.run('xrdb', '-nocpp', '-merge', resources);

  await using terminal = await startTermprog(desktop, { args: ['-xrm', 'term.vt100.rows: 5'], script: 'sleep 60' });

  const picture = await waitFor('the window is painted', async () => {
    const shot = await terminal.screenshot();
    return countColor(shot, 0x203040) > 1000 ? shot : undefined;
  });
  expect([picture.width, picture.height]).toEqual([40 * 6 + 4, 5 * 13 + 4]);
  await desktop.run('xrdb', '-remove');
});

test('a resized window gives the child its new size', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `trap 'stty size > ${file}' WINCH; stty size > ${file}; while :; do sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the first size is told', () => contentOf(file) === '24 80\n');

  await desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${100 * 6 + 4}`, `${30 * 13 + 4}`);

  await waitFor('the new size is told', () => contentOf(file) === '30 100\n');
});

test('the child receives the pixels of its cells, at the start and after a resize that leaves a part of a cell', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  // TIOCGWINSZ: rows, columns, width and height.
  const size = `perl -e 'ioctl(STDIN, 0x5413, $size = "\\0" x 8); print join(" ", unpack("S4", $size))'`;
  const script = `while :; do ${size} > ${file}.new; mv ${file}.new ${file}; sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the first size is told', () => contentOf(file) === '24 80 480 312');

  await desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${100 * 6 + 4 + 5}`, `${30 * 13 + 4 + 12}`);

  await waitFor('the new size is told', () => contentOf(file) === '30 100 600 390');
});

test('a resized window keeps what it shows in its place', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });
  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain('Bit Gravity State: NorthWestGravity');
});

test('a window may be as small as one cell, and grow again with what it showed', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `printf '\\033[41mRED\\033[m'; while :; do stty size > ${file}.new; mv ${file}.new ${file}; sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  const resize = (columns: number, rows: number): Promise<string> =>
    desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${columns * 6 + 4}`, `${rows * 13 + 4}`);
  await waitFor('the text shows', async () => countColor(await terminal.screenshot(), 0xcd0000) > 50);

  await resize(1, 1);
  await waitFor('one cell is told', () => contentOf(file) === '1 1\n');
  await resize(40, 10);

  await waitFor('the new size is told', () => contentOf(file) === '10 40\n');
  await waitFor('the text is back', async () => countColor(await terminal.screenshot(), 0xcd0000) > 50);
});

for (const [what, args, lines] of [
  [
    'a size beyond what X can show',
    ['-geometry', '20000x10'],
    ['a window of 20000 columns is larger than X can show; it gets 5460'],
  ],
  [
    'a place beyond what X can carry',
    ['-geometry', '+40000+0'],
    ['an offset of +40000 is more than X can carry; +32767 is used'],
  ],
  [
    'a geometry that is none',
    ['-geometry', 'large'],
    [
      'resource term.vt100.geometry: "large" (from command line: -geometry) is not a geometry (WIDTHxHEIGHT+X+Y with any part left out, such as 80x24, +10-0 or 100x30+0+0); it stays unset',
    ],
  ],
  [
    'a history of two million lines',
    ['-sl', '2000000'],
    ['resource vt100.saveLines: 2000000 lines of 80 columns may take 3.3 GiB of memory'],
  ],
] as const) {
  test(`${what} is reported in one line, and the terminal runs`, async ({ desktop }) => {
    const file = desktop.newFile();
    await using terminal = await startTermprog(desktop, { args: [...args], script: `echo ran > ${file}; sleep 60` });

    await waitFor('the child runs', () => contentOf(file) === 'ran\n');

    expect(terminal.process.output()).toBe(lines.map((line) => `termprog: warning: ${line}\n`).join(''));
  });
}

test('keys of the keypad with Control and Shift are those without Num Lock with their modifiers', async ({
  desktop,
}) => {
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf ready > ${file}.ready; dd bs=1 count=13 of=${file} 2>/dev/null; sleep 60`,
  });
  await waitFor('the child reads', () => contentOf(`${file}.ready`) === 'ready');

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'ctrl+shift+KP_Down', 'ctrl+shift+KP_Insert', 'a');

  await waitFor('all bytes arrived', () => contentOf(file).length >= 13);
  expect(contentOf(file)).toBe('\x1b[1;6B\x1b[2;6~a');
});

test('Shift with Prior shows older lines, and output returns to the newest', async ({ desktop }) => {
  verifies('termprog.translation.Shift-KeyPress-Prior', 'termprog.action.scroll-back');
  const file = desktop.newFile();
  const script = `seq 1 200; printf '\\033[41mRED\\033[m'; while [ ! -e ${file} ]; do sleep 0.05; done; echo more; sleep 60`;
  await using terminal = await startTermprog(desktop, { script });
  const red = 0xcd0000;
  await waitFor('the last line shows', async () => countColor(await terminal.screenshot(), red) > 50);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'shift+Prior');

  await waitFor('the last line is out of sight', async () => countColor(await terminal.screenshot(), red) === 0);
  writeFileSync(file, '');
  await waitFor('the last line is back', async () => countColor(await terminal.screenshot(), red) > 50);
});

test('a translations resource binds keys to actions', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, {
    args: ['-xrm', '*vt100.translations: #override \\n <Key>F5: scroll-back(1,page)'],
    script: "seq 1 200; printf '\\033[41mRED\\033[m'; sleep 60",
  });
  const red = 0xcd0000;
  await waitFor('the last line shows', async () => countColor(await terminal.screenshot(), red) > 50);
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'F5');

  await waitFor('the last line is out of sight', async () => countColor(await terminal.screenshot(), red) === 0);
});

test('a missing action is reported once', async ({ desktop }) => {
  const args = ['-xrm', '*vt100.translations: #override <Key>F5: make-tea()'];
  await using terminal = await startTermprog(desktop, { args, script: 'sleep 60' });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'F5', 'F5');

  await waitFor('it is told', () => terminal.process.output().includes('there is no action make-tea()'));
  expect(terminal.process.output().match(/make-tea/g)).toHaveLength(1);
});

test('window managers learn the class, the size steps, the process and the protocols', async ({ desktop }) => {
  verifies('termprog.option.name');
  await using terminal = await startTermprog(desktop, { args: ['-name', 'work'], script: 'sleep 60' });

  const properties = await desktop.run('xprop', '-id', `${terminal.window}`);

  expect(properties).toContain('WM_CLASS(STRING) = "work", "Term"');
  expect(properties).toContain('program specified resize increment: 6 by 13');
  expect(properties).toContain('program specified base size: 4 by 4');
  expect(properties).toContain(`_NET_WM_PID(CARDINAL) = ${terminal.process.pid}`);
  expect(properties).toMatch(/WM_PROTOCOLS\(ATOM\): protocols {2}WM_DELETE_WINDOW/);
});

test('an application sets the title, and may not where titles are locked', async ({ desktop }) => {
  verifies('termprog.resource.allowTitleOps');
  const file = desktop.newFile();
  const changeTitle = `while [ ! -e ${file} ]; do sleep 0.05; done; printf '\\033]0;from inside\\007'`;
  await using open = await startTermprog(desktop, { script: `${changeTitle}; sleep 60` });
  await using locked = await startTermprog(desktop, {
    args: ['-xrm', '*allowTitleOps: false'],
    script: `${changeTitle}; printf '\\033[41m     \\033[m'; sleep 60`,
  });
  writeFileSync(file, '');

  await waitFor('the title changed', async () =>
    isTitledEverywhere(await desktop.run('xprop', '-id', `${open.window}`), 'from inside'),
  );
  await waitFor('it was parsed', async () => countColor(await locked.screenshot(), 0xcd0000) > 100);
  expect(await desktop.run('xprop', '-id', `${locked.window}`, 'WM_NAME')).not.toContain('from inside');
});

test('closing the window hangs up on the child and ends the program with status 0', async ({ desktop }) => {
  verifies('termprog.state.running-the-user-closes-the-window-or-Quit');
  const file = desktop.newFile();
  const script = `trap 'echo hup > ${file}; exit' HUP; echo ready > ${file}; while :; do sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the child is ready', () => contentOf(file) === 'ready\n');

  await closeAsUser(desktop, terminal.window);

  expect((await terminal.process.ended).exitCode).toBe(0);
  await waitFor('the child was told', () => contentOf(file) === 'hup\n');
});

test('a window that another program destroys ends the program as closing does', async ({ desktop }) => {
  const file = desktop.newFile();
  const script = `trap 'echo hup > ${file}; exit' HUP; echo ready > ${file}; while :; do sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { args: ['-log', 'info'], script });
  await waitFor('the child is ready', () => contentOf(file) === 'ready\n');

  const { client } = await connectX(desktop.environment);
  client.DestroyWindow(terminal.window);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  client.terminate();

  expect((await terminal.process.ended).exitCode).toBe(0);
  await waitFor('the child was told', () => contentOf(file) === 'hup\n');
  // The terminal defers the report of its start until it has time, so either may come first.
  expect(terminal.process.output()).toMatch(/^termprog: info: the window was destroyed by another program$/m);
});

test('the child ends, the program ends with status 0', async ({ desktop }) => {
  verifies('termprog.state.running-the-child-exits-hold-is-false');
  await using terminal = await startTermprog(desktop, { script: 'sleep 0.3; exit 3' });

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('with hold the window stays after the child has ended, until it is closed', async ({ desktop }) => {
  verifies(
    'termprog.option.hold',
    'termprog.resource.hold',
    'termprog.state.running-the-child-exits-hold-is-true',
    'termprog.state.held-the-user-closes-the-window',
  );
  const file = desktop.newFile();
  const CURSOR = 0x00ff88;
  await using terminal = await startTermprog(desktop, {
    args: ['-hold', '-cr', '#00ff88'],
    script: `printf '\\033[41m     \\033[m'; echo $$ > ${file}`,
  });
  await waitFor('the child has told its id', () => contentOf(file).endsWith('\n'));
  await waitFor('the terminal has taken its end', () => !existsSync(`/proc/${contentOf(file).trim()}`));
  // A terminal that is about to end would not come to this.
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await waitFor('the cursor is filled', async () => countColor(await terminal.screenshot(), CURSOR) === 6 * 13);
  expect(countColor(await terminal.screenshot(), 0xcd0000)).toBeGreaterThan(100);

  await closeAsUser(desktop, terminal.window);

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('a command that is not there is one line and status 1', async ({ desktop }) => {
  verifies('termprog.state.starting-bad-option-no-display-no-usable-font-or-the-child-cannot-be-started');
  const started = spawnTermprog(['-e', 'no-such-command'], desktop.environment);

  expect((await started.ended).exitCode).toBe(1);
  expect(started.output()).toMatch(/^termprog: the command no-such-command can't be started: .*\n$/);
});

test('with hold the last line of a burst is on the screen after the child has ended', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, {
    args: ['-hold'],
    script: "seq 1 100000; printf '\\033[41mlast\\033[m'; exit",
  });

  await waitFor('the last line shows', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);
});

test('a background process that keeps the terminal open does not keep the window open', async ({ desktop }) => {
  const [file, seen] = [desktop.newFile(), desktop.newFile()];
  await using terminal = await startTermprog(desktop, {
    script: `setsid sh -c 'trap "" HUP; echo $$ > ${file}; exec sleep 600' & while [ ! -s ${file} ] || [ ! -e ${seen} ]; do sleep 0.05; done; exit`,
  });
  writeFileSync(seen, '');

  const { exitCode } = await terminal.process.ended;

  process.kill(Number(contentOf(file)));
  expect(exitCode).toBe(0);
});

test('the environment of the child has TERM, WINDOWID, what the user set, and no size of another terminal', async ({
  desktop,
}) => {
  verifies('termprog.option.tn', 'termprog.resource.termName');
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    args: ['-tn', 'vt220'],
    environment: { NODE_OPTIONS: '--no-warnings', COLUMNS: '5' },
    script: `echo "$TERM $WINDOWID \${NODE_OPTIONS-unset} \${COLUMNS-unset}" > ${file}.new; mv ${file}.new ${file}; sleep 60`,
  });

  await waitFor('it is written', () => contentOf(file) !== '');
  expect(contentOf(file)).toBe(`vt220 ${terminal.window} --no-warnings unset\n`);
});

test('device status requests are answered', async ({ desktop }) => {
  const file = desktop.newFile();
  await using _terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf '\\033[5n'; dd bs=1 count=4 of=${file} 2>/dev/null; sleep 60`,
  });

  await waitFor('the answer is there', () => contentOf(file) === '\x1b[0n');
});

/** Whether the window has the title as title and as icon name, in the old properties and in those of UTF-8. */
function isTitledEverywhere(properties: string, title: string): boolean {
  const names = [
    'WM_NAME(STRING)',
    'WM_ICON_NAME(STRING)',
    '_NET_WM_NAME(UTF8_STRING)',
    '_NET_WM_ICON_NAME(UTF8_STRING)',
  ];
  return names.every((name) => properties.includes(`${name} = "${title}"`));
}
