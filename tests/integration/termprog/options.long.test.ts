import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect } from 'vitest';
import { startXProxy } from '../../../bench/termprog/x-proxy.ts';
import { screenshotWindow } from '../../../scripts/stack/screenshot.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { answer, connectX } from '../../../scripts/stack/x-client.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf, type StartedTerminal, spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';
import { watchIdle } from '../../harness/watch-idle.ts';
import { compareInk, countColor } from './pixels.ts';

/** Pixels of the text area without a padding: 80 columns, 24 rows of `fixed`. */
const AREA_PIXELS = 80 * 6 * 24 * 13;

/** A place where a second window does not cover the first. */
const BESIDE = ['-geometry', '+600+0'];

/** A font with the cells of `fixed`. */
const OBLIQUE = '-misc-fixed-medium-o-semicondensed--13-120-75-75-c-60-iso8859-1';

const BLACK = 0x000000;
const RED = 0xcd0000;

/** Waits until most of the window has a colour. */
const fills = (terminal: StartedTerminal, color: number): Promise<unknown> =>
  waitFor(`#${color.toString(16)} fills the window`, async () => {
    return countColor(await terminal.screenshot(), color) > AREA_PIXELS * 0.9;
  });

const shows = (terminal: StartedTerminal, color: number): Promise<unknown> =>
  waitFor(`#${color.toString(16)} shows`, async () => countColor(await terminal.screenshot(), color) > 100);

test('the window is on the server that is named, and so is what runs in it', async ({ desktop }) => {
  verifies('termprog.option.display', 'termprog.state.starting-the-window-is-mapped-and-the-child-runs');
  const { DISPLAY, XAUTHORITY } = desktop.environment;
  const file = desktop.newFile();
  await using terminal = await startTermprog(desktop, {
    args: ['-display', DISPLAY],
    environment: { DISPLAY: ':7654', XAUTHORITY },
    script: `echo "$DISPLAY" > ${file}; sleep 60`,
  });

  await waitFor('the child runs', () => contentOf(file) === `${DISPLAY}\n`);
  expect(await desktop.run('xwininfo', '-id', `${terminal.window}`)).toContain('Map State: IsViewable');
});

test('the colours of the toolkit have their names in any case', async ({ desktop }) => {
  await using terminal = await startTermprog(desktop, { args: ['-bg', 'xtDEFAULTforeground'], script: 'sleep 60' });

  await fills(terminal, BLACK);
  expect(terminal.process.output()).toBe('');
});

test('the border has the colour asked for', async ({ desktop }) => {
  verifies('termprog.option.bd', 'termprog.resource.borderColor');
  await using _terminal = await startTermprog(desktop, { args: ['-bw', '9', '-bd', '#11cc22'], script: 'sleep 60' });

  const [, root] = /Window id: (0x[0-9a-f]+)/.exec(await desktop.run('xwininfo', '-root')) ?? [];

  await waitFor('the border shows', async () => {
    const screen = PNG.sync.read(await screenshotWindow(desktop.environment, Number(root)));
    return countColor(screen, 0x11cc22) > 1_000;
  });
});

test('bold text is drawn in the font asked for', async ({ desktop }) => {
  verifies('termprog.option.fb');
  const script = "printf '\\033[?25l\\033[1mbold\\033[m\\n\\033[41m     \\033[m'; sleep 60";
  await using usual = await startTermprog(desktop, { script });
  await using other = await startTermprog(desktop, { args: ['-fb', OBLIQUE, ...BESIDE], script });
  await shows(usual, RED);
  await shows(other, RED);

  const { inked, equal } = await waitFor('both are painted in their bold font', async () => {
    const compared = compareInk(await usual.screenshot(), await other.screenshot());
    return compared.equal < compared.inked ? compared : undefined;
  });
  expect(equal).toBeGreaterThan(inked / 2);
});

test('resources are looked up for the class asked for, and the window manager learns it', async ({ desktop }) => {
  verifies('termprog.option.class');
  await using terminal = await startTermprog(desktop, {
    args: ['-class', 'Work', '-xrm', 'Work*background: #203040', '-xrm', 'Term*background: #ff0000'],
    script: 'sleep 60',
  });

  await fills(terminal, 0x203040);
  expect(await desktop.run('xprop', '-id', `${terminal.window}`, 'WM_CLASS')).toContain('"term", "Work"');
});

test('the environment names the instance, and an option does so before it', async ({ desktop }) => {
  const args = ['-xrm', 'first*background: #203040', '-xrm', 'second*background: #405060'];
  const environment = { RESOURCE_NAME: 'first' };
  await using named = await startTermprog(desktop, { args, environment, script: 'sleep 60' });
  await using renamed = await startTermprog(desktop, {
    args: [...args, '-name', 'second', ...BESIDE],
    environment,
    script: 'sleep 60',
  });

  await fills(named, 0x203040);
  await fills(renamed, 0x405060);
});

test('a title that was asked for before is written again when asked to', async ({ desktop }) => {
  verifies('termprog.option.samename', 'termprog.resource.sameName');
  const file = desktop.newFile();
  const same = "printf '\\033]2;same\\007'";
  const begin = desktop.newFile();
  const until = (path: string): string => `while [ ! -e ${path} ]; do sleep 0.02; done`;
  const script = `${until(begin)}; ${same}; ${until(file)}; ${same}; printf '\\033[41m     \\033[m'; sleep 60`;
  await using skipping = await startTermprog(desktop, { args: ['+samename', '-samename'], script });
  await using writing = await startTermprog(desktop, { args: ['+samename', ...BESIDE], script });
  const title = ({ window }: StartedTerminal): Promise<string> => desktop.run('xprop', '-id', `${window}`, 'WM_NAME');
  writeFileSync(begin, '');
  for (const terminal of [skipping, writing]) {
    await waitFor('the title shows', async () => (await title(terminal)).includes('"same"'));
    const overwrite = ['-id', `${terminal.window}`, '-f', 'WM_NAME', '8s', '-set', 'WM_NAME', 'from outside'];
    await desktop.run('xprop', ...overwrite);
  }

  writeFileSync(file, '');

  await waitFor('the title is back', async () => (await title(writing)).includes('"same"'));
  await shows(skipping, RED);
  expect(await title(skipping)).toContain('"from outside"');
});

test('with debug more is logged, and without it less', async ({ desktop }) => {
  verifies('termprog.option.debug', 'termprog.resource.debug');
  const silent = ['-xrm', '*limitFontHeight: 5', '-fn', 'no-such-font'];
  const start = (...args: string[]): Promise<StartedTerminal> =>
    startTermprog(desktop, { args: [...silent, ...args], script: 'sleep 60' });
  await using option = await start('-debug');
  await using resource = await start('-xrm', '*debug: true');
  await using undone = await start('-debug', '+debug');
  const info = 'termprog: info: resource vt100.limitFontHeight has no effect: ';

  for (const terminal of [option, resource]) {
    await waitFor('it is told', () => terminal.process.output().includes(info));
  }
  // It would be reported before the font, which is always reported.
  await waitFor('the start was told of', () => undone.process.output().includes('no-such-font'));
  expect(undone.process.output()).not.toContain(info);
});

test('info logs how the start went, debug also which settings come from where, and neither logs typed text or commands', async ({
  desktop,
}) => {
  const start = (...args: string[]): Promise<StartedTerminal> =>
    startTermprog(desktop, {
      args: ['-sl', '77', ...args],
      script: ': secret-word; read line; printf "\\033[41m     \\033[m"; sleep 60',
    });
  await using info = await start('-log', 'info');
  await using debug = await start('-log', 'debug', ...BESIDE);
  for (const terminal of [info, debug]) {
    await waitFor('the start is told', () => terminal.process.output().includes('the command runs as process'));
    await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
    await desktop.run('xdotool', 'type', 'typed-word\n');
    await shows(terminal, RED);
  }

  const { DISPLAY } = desktop.environment;
  const lines = info.process.output().split('\n');
  const [, processId] = /process (\d+)/.exec(info.process.output()) ?? [];
  expect(lines).toEqual([
    'termprog: info: no file or property has resources',
    `termprog: info: X server ${DISPLAY}, screen of 1280x1024 pixels`,
    expect.stringMatching(`^termprog: info: window 0x${info.window.toString(16)}, visual 0x\\w+ of depth 24$`),
    'termprog: info: bitmap fonts, 80x24 cells of 6x13 pixels',
    `termprog: info: the command runs as process ${processId}`,
    '',
  ]);
  expect(contentOf(`/proc/${processId}/cmdline`)).toContain('secret-word');
  expect(debug.process.output()).toContain('termprog: debug: saveLines is set by command line: -sl');
  expect(debug.process.output()).not.toMatch(/secret-word|typed-word/);
});

test('-e runs the words behind it unchanged', async ({ desktop }) => {
  verifies('termprog.option.e');
  const file = desktop.newFile();

  const process = spawnTermprog(
    ['-e', 'sh', '-c', 'printf "%s|" "$@" > "$0"', file, '-fn', 'a b', ''],
    desktop.environment,
  );

  expect((await process.ended).exitCode).toBe(0);
  expect(contentOf(file)).toBe('-fn|a b||');
});

test('class defaults come from the files of the locale asked for, and titles are written for its encoding', async ({
  desktop,
}) => {
  verifies('termprog.option.xnllanguage');
  const folder = join(desktop.folder, 'defaults');
  for (const [language, color] of [
    ['de', '#203040'],
    ['fr', '#405060'],
  ] as const) {
    mkdirSync(join(folder, language), { recursive: true });
    writeFileSync(join(folder, language, 'Term'), `*background: ${color}\n`);
  }
  await using terminal = await startTermprog(desktop, {
    args: ['-xnllanguage', 'fr_FR.ISO8859-1'],
    environment: { XFILESEARCHPATH: `${folder}/%l/%N`, LC_ALL: 'de_DE.UTF-8' },
    script: 'sleep 60',
  });

  await fills(terminal, 0x405060);
  expect(await desktop.run('xprop', '-id', `${terminal.window}`)).not.toContain('_NET_WM_NAME');
});

test('the answerback is sent byte for byte as it was set, also where that is not UTF-8', async ({ desktop }) => {
  const file = desktop.newFile();
  await using _terminal = await startTermprog(desktop, {
    args: ['-xrm', '*answerbackString: \\351\\377\\001x'],
    script: `stty raw -echo; printf '\\005'; dd bs=1 count=4 of=${file} 2>/dev/null; sleep 60`,
  });

  await waitFor('the answer is there', () => contentOf(file).endsWith('x'));
  expect([...readFileSync(file)]).toEqual([0o351, 0o377, 1, 0x78]);
});

test('the owner of a selection has as long for an answer as it is given', async ({ desktop }) => {
  verifies('termprog.option.selectionTimeout');
  const owner = await connectX(desktop.environment);
  const { client } = owner;
  const [screen] = owner.screen;
  const window = client.AllocID();
  client.CreateWindow(window, screen?.root ?? 0, 0, 0, 1, 1, 0, 0, 0, 0, {});
  const clipboard = await answer<number>('an atom', (reply) => client.InternAtom(false, 'CLIPBOARD', reply));
  // It owns the selection and does not answer.
  client.SetSelectionOwner(window, clipboard, 0);
  await answer('the focus', (reply) => client.GetInputFocus(reply));
  const file = desktop.newFile();
  await using _terminal = await startTermprog(desktop, {
    args: ['-selectionTimeout', '200', '-xrm', '*disallowedWindowOps:'],
    script: `stty raw -echo; echo asked > ${file}.asked; printf '\\033]52;c;?\\033\\\\'; dd bs=1 count=9 of=${file} 2>/dev/null; sleep 60`,
  });
  await waitFor('it asks', () => contentOf(`${file}.asked`) !== '');
  using waited = watchIdle();

  await waitFor('the child has an answer', () => contentOf(file).startsWith('\x1b]52;c;'));

  // Unless asked to, it waits for five seconds.
  expect(waited.read()).toBeLessThan(3_000);
  client.terminate();
});

test('with -synchronous each request waits for the one before, and the window shows the same', async ({ desktop }) => {
  verifies('termprog.option.synchronous');
  const script = "printf '\\033[?25l\\033[41mred\\033[m text'; sleep 60";
  await using proxy = await startXProxy(desktop.environment.DISPLAY);
  const environment = { DISPLAY: proxy.display };
  await using slow = await startTermprog(desktop, { args: ['-synchronous'], environment, script });
  await shows(slow, RED);
  const roundTrips = await waitFor('its window was mapped', () => proxy.traffic().roundTripsBeforeMap);
  await using usual = await startTermprog(desktop, {
    args: ['-synchronous', '+synchronous', ...BESIDE],
    environment,
    script,
  });
  await shows(usual, RED);

  expect(await waitFor('its window was mapped', () => proxy.traffic().roundTripsBeforeMap)).toBeLessThan(10);
  // Creating the window and its properties takes more requests than this.
  expect(roundTrips).toBeGreaterThan(20);
  const { inked, equal } = compareInk(await slow.screenshot(), await usual.screenshot());
  expect(equal).toBe(inked);
});
