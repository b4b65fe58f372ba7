import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { contentOf, type StartedTerminal, startTermprog } from '../../harness/start-termprog.ts';

interface Cell {
  column: number;
  row: number;
}

/** xdotool's words for a place of the window. */
const at = ({ window }: StartedTerminal, { column, row }: Cell): string[] => [
  'mousemove',
  '--window',
  `${window}`,
  `${2 + 6 * column + 3}`,
  `${2 + 13 * row + 6}`,
];

const shiftClick = (terminal: StartedTerminal, cell: Cell): Promise<string> =>
  desktop.run('xdotool', ...at(terminal, cell), 'keydown', 'shift', 'click', '1', 'keyup', 'shift');

const LINKED = '\\033]8;;https://example.org/a?b=1\\ahere\\033]8;;\\a and https://visible.example/x(y). End';

test('Shift with the first button opens a link of the application, and a visible address, in the desktop', async () => {
  verifies('termprog.action.hyperlink-start', 'termprog.translation.Shift-without-Ctrl-Meta-Btn1Down');
  const { opened, PATH } = createOpener();
  await using terminal = await startShowing(LINKED, { PATH });

  await shiftClick(terminal, { column: 2, row: 0 });
  await waitFor('the link is opened', () => opened().length === 1);
  await shiftClick(terminal, { column: 12, row: 0 });
  await waitFor('the address is opened', () => opened().length === 2);

  expect(opened()).toEqual(['https://example.org/a?b=1', 'https://visible.example/x(y)']);
});

test('a press beside a link, one without Shift, and a drag open no link', async () => {
  verifies('termprog.action.hyperlink-start');
  const { opened, PATH } = createOpener();
  await using terminal = await startShowing(LINKED, { PATH });
  const link = { column: 2, row: 0 };

  await shiftClick(terminal, { column: 6, row: 0 });
  await shiftClick(terminal, { column: 60, row: 20 });
  await desktop.run('xdotool', ...at(terminal, link), 'click', '1');
  const dragged = [
    ...at(terminal, link),
    'mousedown',
    '1',
    ...at(terminal, { column: 0, row: 0 }),
    ...at(terminal, link),
  ];
  await desktop.run('xdotool', 'keydown', 'shift', ...dragged, 'mouseup', '1', 'keyup', 'shift');
  await shiftClick(terminal, { column: 12, row: 0 });

  // Each before it would have been opened before.
  await waitFor('the address is opened', () => opened().length > 0);
  expect(opened()).toEqual(['https://visible.example/x(y)']);
});

test('an address that is broken over lines is opened whole, from each of them', async () => {
  const { opened, PATH } = createOpener();
  const address = `http://example.org/${'long/'.repeat(12)}end`;
  await using terminal = await startShowing(`see ${address}, now`, { PATH }, ['-geometry', '30x10+0+0']);

  for (const row of [0, 1, 2]) {
    await shiftClick(terminal, { column: 10, row });
    await waitFor('it is opened', () => opened().length === row + 1);
  }

  expect(new Set(opened())).toEqual(new Set([address]));
});

test('files of this machine are opened, and other schemes and machines are not, which is reported', async () => {
  const { opened, PATH } = createOpener();
  const file = `${desktop.newFile()} a`;
  writeFileSync(file, 'text');
  const address = `file://${file.replaceAll(' ', '%20')}`;
  const links = [
    'javascript:alert(1)',
    'file://elsewhere.example/etc/passwd',
    '-v',
    address.replace('file://', `file://${hostname()}`),
  ];
  const text = links
    .map((link) => `\\033]8;;${link.replace('%', '%%').replace('%%', '%')}\\alink\\033]8;;\\a`)
    .join('\\r\\n');
  await using terminal = await startShowing(text, { PATH });

  for (const row of links.keys()) await shiftClick(terminal, { column: 1, row });

  await waitFor('the file is opened', () => opened().length > 0);
  expect(opened()).toEqual([address]);
  expect(terminal.process.output()).toContain('"javascript:" is not one of');
  expect(terminal.process.output()).toContain('it is not a file of this machine');
  expect(terminal.process.output()).toContain('it is not an address');
});

/** Makes a folder with the programs that the terminal and its script need, and without the desktop's programs. */
async function createBareFolder(): Promise<string> {
  const folder = `${desktop.newFile()}.empty`;
  mkdirSync(folder);
  for (const program of ['setpriv', 'sh', 'stty', 'dd', 'cat', 'readlink', 'node']) {
    const path = (await desktop.run('sh', '-c', `command -v ${program}`)).trim();
    await desktop.run('ln', '-s', path, join(folder, program));
  }
  return folder;
}

test('without an opener a line says so', async () => {
  await using terminal = await startShowing(LINKED, { PATH: await createBareFolder() });
  await shiftClick(terminal, { column: 2, row: 0 });
  await waitFor('it is told', () => terminal.process.output().includes('there is no program xdg-open on PATH'));
});

test('an opener that the system refuses to look for costs a line, not the terminal', async () => {
  await using terminal = await startShowing(LINKED, { PATH: `${await createBareFolder()}:/etc/passwd` });
  await shiftClick(terminal, { column: 2, row: 0 });
  await waitFor('it is told', () => terminal.process.output().includes("can't be opened: spawn ENOTDIR"), {
    process: terminal.process,
  });
});

/**
 * Makes a folder with an opener, which records the addresses it gets, one a line, and without the desktop's other
 * programs.
 */
function createOpener(): { opened: () => string[]; PATH: string } {
  const file = desktop.newFile();
  const folder = `${file}.bin`;
  mkdirSync(folder);
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${file}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  return { opened: () => contentOf(file).split('\n').filter(Boolean), PATH: `${folder}:${process.env['PATH']}` };
}

/** Starts a terminal that shows a text, and says so. */
async function startShowing(text: string, environment: Record<string, string>, args: string[] = []) {
  const file = desktop.newFile();
  const terminal = await startTermprog(desktop, {
    args,
    // The answer about the cursor comes when the text is on the screen.
    script: `stty raw -echo; printf '%b\\033[6n' '${text}'; dd bs=1 count=5 of=${file} 2>/dev/null; cat > /dev/null`,
    environment,
  });
  await waitFor('the text shows', () => contentOf(file).length >= 5, { process: terminal.process });
  return terminal;
}
