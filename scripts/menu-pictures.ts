/** Writes pictures of the terminal's popup menus, and of xterm's beside them, into docs/images/menus/. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { type ManagedProcess, startProcess } from './stack/managed-process.ts';
import { requireProgram } from './stack/require-program.ts';
import { screenshotWindow } from './stack/screenshot.ts';
import { waitFor } from './stack/wait-for.ts';
import { connectX } from './stack/x-client.ts';
import { startXvfb } from './stack/xvfb.ts';

const PICTURES = resolve('docs/images/menus');

/** Room for the window and for the highest menu. */
const SCREEN = '560x620x24';

/** Time without a change after which a picture is finished. */
const STEADY_MS = 300;

const MENUS = { main: '1', vt: '2', font: '3' } as const;

const WINDOW = ['-geometry', '80x24+20+20'];

const programs: Readonly<Record<string, readonly string[]>> = {
  termprog: [resolve('bin/termprog'), ...WINDOW],
  xterm: ['xterm', ...WINDOW],
};

await requireProgram('xterm');
const folder = await mkdtemp(join(tmpdir(), 'homeport-menus-'));
const xvfb = await startXvfb({ folder, options: ['-screen', '0', SCREEN] });
const { environment } = xvfb;
const root = await rootWindow();
try {
  await mkdir(PICTURES, { recursive: true });
  for (const [name, command] of Object.entries(programs)) await takePictures(name, command);
} finally {
  await xvfb.process.stop();
  await rm(folder, { recursive: true });
}

async function takePictures(name: string, command: readonly string[]): Promise<void> {
  const terminal = startTerminal(name, command);
  const xdotool = (...words: string[]) => execa('xdotool', words, { env: environment });
  try {
    await waitFor('the window is there', () => screenshotWindow(environment, name), { process: terminal });
    for (const [menu, button] of Object.entries(MENUS)) {
      await xdotool('mousemove', '240', '60', 'keydown', 'ctrl', 'mousedown', button);
      await steady(() => screenshotWindow(environment, root));
      // One entry is highlighted, as by a hand that is about to let go.
      await xdotool('mousemove_relative', '0', menu === 'main' ? '93' : '29');
      await writeFile(join(PICTURES, `${name}-${menu}.png`), await steady(() => screenshotWindow(environment, root)));
      console.log(`docs/images/menus/${name}-${menu}.png`);
      await xdotool('mousemove', '1', '1', 'mouseup', button, 'keyup', 'ctrl');
    }
  } finally {
    await terminal.stop();
  }
}

function startTerminal(name: string, [program = '', ...args]: readonly string[]): ManagedProcess {
  return startProcess({
    name,
    command: [
      program,
      ...args,
      '-title',
      name,
      '-xrm',
      '*allowTitleOps: false',
      '-e',
      'sh',
      '-c',
      'echo Control with a button shows a menu.; exec cat',
    ],
    env: { ...environment, HOME: folder, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' },
    logFile: join(folder, `${name}.log`),
  });
}

/** The window that has the whole screen. */
async function rootWindow(): Promise<number> {
  const { client, screen } = await connectX(environment);
  client.terminate();
  return screen[0]?.root ?? 0;
}

/** The picture when it has stopped changing. */
async function steady(look: () => Promise<Buffer>): Promise<Buffer> {
  let picture = await look();
  for (;;) {
    await delay(STEADY_MS);
    const next = await look();
    if (next.equals(picture)) return picture;
    picture = next;
  }
}
