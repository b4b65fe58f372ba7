import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { screenshotWindow } from '../../../scripts/stack/screenshot.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startXvfb, type Xvfb } from '../../../scripts/stack/xvfb.ts';
import { openInProcess } from '../../harness/open-in-process.ts';
import { residentKiB } from '../../harness/resident-memory.ts';
import { spawnTermprog } from '../../harness/start-termprog.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { countColor } from '../../integration/termprog/pixels.ts';

const STOPPED_MS = 3_000;
const SETTLE_MS = 1_500;
const MIB = 1024 * 1024;

/** V8's room for new objects grows once, by up to 19 MiB; what is kept for the server would be hundreds. */
const GROWTH_MAX_MIB = 32;

test('with a stopped X server less than 1 MiB waits for it, and after it goes on the newest picture shows', async () => {
  await using server = await startServer();
  const { folder, xvfb } = server;
  const flood = writeFlood(folder);
  const go = join(folder, 'go');
  const script = `stty -echo; while [ ! -e ${go} ]; do cat ${flood}; done; printf '\\033[m\\033[H\\033[2J\\033[48;2;9;8;7m      '; : > ${go}-done; sleep 60`;
  await using terminal = await openInProcess(xvfb, { script });
  await delay(SETTLE_MS);

  xvfb.process.kill('SIGSTOP');
  let mostBytes = 0;
  for (const until = performance.now() + STOPPED_MS; performance.now() < until; await delay(20)) {
    mostBytes = Math.max(mostBytes, terminal.connection.queuedBytes);
  }
  writeFileSync(go, '');
  await waitFor('the flood has ended', () => existsSync(`${go}-done`));
  await delay(100);
  xvfb.process.kill('SIGCONT');
  await waitFor('the newest picture shows', async () => {
    const picture = PNG.sync.read(await screenshotWindow(xvfb.environment, terminal.window));
    return countColor(picture, 0x090807) > 6 * 6 * 10 && countColor(picture, 0xffffff) > 100_000;
  });

  expect(mostBytes).toBeLessThan(MIB);
});

test('requests to a server that is stopped for eleven seconds take effect when it continues', async () => {
  await using server = await startServer();
  const { xvfb } = server;
  await using terminal = await openInProcess(xvfb, { script: 'sleep 60' });
  const shows = (color: number) => async (): Promise<boolean> => {
    const picture = PNG.sync.read(await screenshotWindow(xvfb.environment, terminal.window));
    return countColor(picture, color) > 100_000;
  };
  await waitFor('the window shows', shows(0xffffff));

  xvfb.process.kill('SIGSTOP');
  terminal.options.set('background', 'gold');
  await delay(11_000);
  xvfb.process.kill('SIGCONT');

  await waitFor('the colour shows', shows(0xffd700));
});

for (const [what, commandIn] of [
  ['yes(1) runs', () => 'yes'],
  ['titles, bells and requests pour in', (folder) => `stty -echo; while :; do cat ${writeFlood(folder)}; done`],
  [
    'selections are written and asked for',
    (folder) => `stty raw -echo; cat < /dev/tty > /dev/null & while :; do cat ${writeSelections(folder)}; done`,
  ],
] as const satisfies readonly (readonly [string, (folder: string) => string])[]) {
  test(`while the X server is stopped and ${what} the program grows by less than ${GROWTH_MAX_MIB} MiB`, async () => {
    await using server = await startServer();
    const { folder, xvfb } = server;
    const args = ['-xrm', '*allowWindowOps: true', '-e', 'sh', '-c', commandIn(folder)];
    const terminal = spawnTermprog(args, xvfb.environment);
    await delay(2 * SETTLE_MS);
    const before = residentKiB(terminal.pid ?? 0);

    xvfb.process.kill('SIGSTOP');
    await delay(STOPPED_MS);
    const grown = residentKiB(terminal.pid ?? 0) - before;

    xvfb.process.kill('SIGCONT');
    await terminal.stop();
    expect(grown / 1024).toBeLessThan(GROWTH_MAX_MIB);
  });
}

/** A private X server that may be stopped. */
async function startServer(): Promise<{ folder: string; xvfb: Xvfb } & AsyncDisposable> {
  const folder = await tempFolder();
  const xvfb = await startXvfb({ folder: folder.path });
  return {
    folder: folder.path,
    xvfb,
    [Symbol.asyncDispose]: async () => {
      xvfb.process.kill('SIGCONT');
      await xvfb.process.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A file of what changes every cell, the title and the icon name, rings, and asks for answers. */
function writeFlood(folder: string): string {
  const file = join(folder, 'flood');
  const line = (number: number): string =>
    `\x1b]2;title ${number}\x07\x1b]1;icon ${number}\x07\x07\x1b[${30 + (number % 8)};${40 + (number % 7)}m${'x'.repeat(70)} ${number}\x1b[5n\r\n`;
  writeFileSync(file, Array.from({ length: 5_000 }, (_, number) => line(number)).join(''));
  return file;
}

/** A file that writes selections and cut buffers, and asks for them. */
function writeSelections(folder: string): string {
  const file = join(folder, 'selections');
  const command = (number: number): string =>
    `\x1b]52;cps01;${Buffer.from(`${number} ${'x'.repeat(10_000)}`).toString('base64')}\x07\x1b]52;c1;?\x07\x1b]52;q;?\x07`;
  writeFileSync(file, Array.from({ length: 500 }, (_, number) => command(number)).join(''));
  return file;
}
