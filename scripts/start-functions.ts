/**
 * Writes the names of the functions that a start of the terminal runs, with a few keys and words, into
 * scripts/build/start-functions.json. A function that is missing is compiled when it is called; one too many is read in
 * vain.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { functionPlaces } from './build/start-functions.ts';
import { startProcess } from './stack/managed-process.ts';
import { requireProgram } from './stack/require-program.ts';
import { screenshotWindow } from './stack/screenshot.ts';
import { waitFor } from './stack/wait-for.ts';
import { startXvfb } from './stack/xvfb.ts';

const LIST = 'scripts/build/start-functions.json';

/** Session like the first output in a shell: coloured words, lines that scroll, keys that are echoed. */
const SESSION = "printf '\\033[1;32mname\\033[0m:\\033[34m~\\033[0m$ '; seq 30; exec cat";

/** Pause for the last work of a start, whose end cannot be observed. */
const QUIET_MS = 1_000;

await requireProgram('xdotool');
const folder = await mkdtemp(join(tmpdir(), 'homeport-functions-'));
const { environment, process: server } = await startXvfb({ folder, options: [] });
try {
  await runTerminal();
  const keys = await keysRun();
  await writeFile(LIST, `${JSON.stringify(keys, undefined, 2)}\n`);
  console.log(`${LIST}: ${keys.length} functions`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

async function runTerminal(): Promise<void> {
  const terminal = startProcess({
    name: 'termprog',
    command: [resolve('bin/termprog'), '-geometry', '80x24+0+0', '-e', 'sh', '-c', SESSION],
    env: { ...environment, HOME: folder, LC_ALL: 'C.UTF-8', NODE_V8_COVERAGE: folder },
  });
  try {
    await waitFor('the window is there', () => screenshotWindow(environment, 'termprog'), { process: terminal });
    await execa('xdotool', ['mousemove', '100', '100', 'type', 'words\n'], { env: environment });
    await delay(QUIET_MS);
  } finally {
    await terminal.stop();
  }
}

/** Keys of the program's own functions that ran, in alphabetical order. */
async function keysRun(): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('coverage-'));
  const reports = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const scripts = reports
    .flatMap((report) => (JSON.parse(report) as Profiler.TakePreciseCoverageReturnType).result)
    .filter(({ url }) => url.includes('/termprog-parts/'));
  const keys = await Promise.all(
    scripts.map(async ({ url, functions }) => {
      const hasRun = innermost(functions);
      const places = functionPlaces(await readFile(fileURLToPath(url), 'latin1'));
      return places.filter(({ offset }) => hasRun(offset)).map(({ key }) => key);
    }),
  );
  return [...new Set(keys.flat())].sort();
}

/** Whether the smallest function around an offset has run. */
function innermost(functions: readonly Profiler.FunctionCoverage[]): (offset: number) => boolean {
  const ranges = functions
    .flatMap(({ ranges: [range] }) => range ?? [])
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  return (offset) => {
    const around = ranges.findLast(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    return around !== undefined && around.count > 0;
  };
}
