import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { spawnTermprog, startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';
import { countColor } from './pixels.ts';

let desktop: XDesktop;
let serial = 0;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** A file that scripts in the terminal write to. */
function newFile(): string {
  serial += 1;
  return join(desktop.folder, `written-${serial}`);
}

const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

test('typed keys reach the child as the bytes a terminal sends', async () => {
  const file = newFile();
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

test('text beyond ASCII is typed as UTF-8', async () => {
  const file = newFile();
  await using terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf ready > ${file}.ready; dd bs=1 count=6 of=${file} 2>/dev/null; sleep 60`,
  });
  await waitFor('the child reads', () => contentOf(`${file}.ready`) === 'ready');

  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  // It binds each character to a spare key and asks nobody whether the key was read before the next takes its place.
  await desktop.run('env', 'LC_ALL=C.UTF-8', 'xdotool', 'type', '--delay', '300', 'éЖ');
  await desktop.run('xdotool', 'key', 'a', 'b');

  await waitFor('all bytes arrived', () => Buffer.byteLength(contentOf(file)) >= 6);
  expect(contentOf(file)).toBe('éЖab');
});

test('resources merged by xrdb are honoured, and the command line is stronger', async () => {
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

test('a resized window tells the child its new size', async () => {
  const file = newFile();
  const script = `trap 'stty size > ${file}' WINCH; stty size > ${file}; while :; do sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the first size is told', () => contentOf(file) === '24 80\n');

  await desktop.run('xdotool', 'windowsize', `${terminal.window}`, `${100 * 6 + 4}`, `${30 * 13 + 4}`);

  await waitFor('the new size is told', () => contentOf(file) === '30 100\n');
});

test('Shift with Prior shows older lines, and output returns to the newest', async () => {
  const file = newFile();
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

test('a translations resource binds keys to actions', async () => {
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

test('an action that is not there is told of once', async () => {
  await using terminal = await startTermprog(desktop, { script: 'sleep 60' });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);

  await desktop.run('xdotool', 'key', 'shift+Insert', 'shift+Insert');

  await waitFor('it is told', () =>
    terminal.process.output().includes('insert-selection() has no effect in this version'),
  );
  expect(terminal.process.output().match(/insert-selection/g)).toHaveLength(1);
});

test('window managers learn the class, the size steps, the process and the protocols', async () => {
  await using terminal = await startTermprog(desktop, { args: ['-name', 'work'], script: 'sleep 60' });

  const properties = await desktop.run('xprop', '-id', `${terminal.window}`);

  expect(properties).toContain('WM_CLASS(STRING) = "work", "Term"');
  expect(properties).toContain('program specified resize increment: 6 by 13');
  expect(properties).toContain('program specified base size: 4 by 4');
  expect(properties).toContain(`_NET_WM_PID(CARDINAL) = ${terminal.process.pid}`);
  expect(properties).toMatch(/WM_PROTOCOLS\(ATOM\): protocols {2}WM_DELETE_WINDOW/);
});

test('an application sets the title, and may not where titles are locked', async () => {
  const file = newFile();
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

test('closing the window hangs up on the child and ends the program with status 0', async () => {
  const file = newFile();
  const script = `trap 'echo hup > ${file}; exit' HUP; echo ready > ${file}; while :; do sleep 0.05; done`;
  await using terminal = await startTermprog(desktop, { script });
  await waitFor('the child is ready', () => contentOf(file) === 'ready\n');

  await sendDeleteWindow(terminal.window);

  expect((await terminal.process.ended).exitCode).toBe(0);
  await waitFor('the child was told', () => contentOf(file) === 'hup\n');
});

test('the child ends, the program ends with status 0', async () => {
  await using terminal = await startTermprog(desktop, { script: 'sleep 0.3; exit 3' });

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('with hold the window stays after the child has ended, until it is closed', async () => {
  const file = newFile();
  await using terminal = await startTermprog(desktop, {
    args: ['-hold'],
    script: `printf '\\033[41m     '; echo done > ${file}`,
  });
  await waitFor('the child has ended', () => contentOf(file) === 'done\n');
  await waitFor('its output stays', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);

  await sendDeleteWindow(terminal.window);

  expect((await terminal.process.ended).exitCode).toBe(0);
});

test('a command that is not there is one line and status 1', async () => {
  const started = spawnTermprog(['-e', 'no-such-command'], desktop.environment);

  expect((await started.ended).exitCode).toBe(1);
  expect(started.output()).toBe("termprog: no-such-command can't be started (ENOENT)\n");
});

test('with hold the last line of a burst is on the screen after the child has ended', async () => {
  await using terminal = await startTermprog(desktop, {
    args: ['-hold'],
    script: "seq 1 100000; printf '\\033[41mlast\\033[m'; exit",
  });

  await waitFor('the last line shows', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);
});

test('a background process that keeps the terminal open does not keep the window open', async () => {
  const file = newFile();
  await using terminal = await startTermprog(desktop, {
    script: `setsid sh -c 'trap "" HUP; echo $$ > ${file}; exec sleep 600' & while [ ! -s ${file} ]; do sleep 0.05; done; exit`,
  });

  const { exitCode } = await terminal.process.ended;

  process.kill(Number(contentOf(file)));
  expect(exitCode).toBe(0);
});

test('the environment of the child has TERM, WINDOWID and a clean terminal', async () => {
  const file = newFile();
  await using terminal = await startTermprog(desktop, {
    args: ['-tn', 'vt220'],
    environment: { NODE_OPTIONS: '--no-warnings', COLUMNS: '5' },
    script: `echo "$TERM $WINDOWID \${NODE_OPTIONS-unset} \${COLUMNS-unset}" > ${file}.new; mv ${file}.new ${file}; sleep 60`,
  });

  await waitFor('it is written', () => contentOf(file) !== '');
  expect(contentOf(file)).toBe(`vt220 ${terminal.window} unset unset\n`);
});

test('device status requests are answered', async () => {
  const file = newFile();
  await using _terminal = await startTermprog(desktop, {
    script: `stty raw -echo; printf '\\033[5n'; dd bs=1 count=4 of=${file} 2>/dev/null; sleep 60`,
  });

  await waitFor('the answer is there', () => contentOf(file) === '\x1b[0n');
});

/** As title and icon name, in the old properties and in those of UTF-8. */
function isTitledEverywhere(properties: string, title: string): boolean {
  const names = [
    'WM_NAME(STRING)',
    'WM_ICON_NAME(STRING)',
    '_NET_WM_NAME(UTF8_STRING)',
    '_NET_WM_ICON_NAME(UTF8_STRING)',
  ];
  return names.every((name) => properties.includes(`${name} = "${title}"`));
}

/** What a window manager sends when the user closes a window; ICCCM 4.2.8. */
async function sendDeleteWindow(window: number): Promise<void> {
  const { client } = await connectX(desktop.environment);
  const atom = (name: string): Promise<number> =>
    answer(`the atom ${name}`, (reply) => client.InternAtom(false, name, reply));
  const message = Buffer.alloc(32);
  message.writeUInt8(CLIENT_MESSAGE, 0);
  message.writeUInt8(32, 1);
  message.writeUInt32LE(window, 4);
  message.writeUInt32LE(await atom('WM_PROTOCOLS'), 8);
  message.writeUInt32LE(await atom('WM_DELETE_WINDOW'), 12);
  client.SendEvent(window, 0, 0, message);
  // An answer comes after everything before it was done.
  await answer('the geometry', (reply) => client.GetGeometry(window, reply));
  client.terminate();
}

/** Number of the ClientMessage event; X11 protocol. */
const CLIENT_MESSAGE = 33;
