import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../quantile.ts';
import type { Desktop } from './desktop.ts';
import { loads as bitmapLoads, type Load, writeLoad } from './loads.ts';
import { startTerminal, type Terminal, type TerminalName, terminalNames } from './terminals.ts';

/** Deadline of a load: 100 MB in the slowest terminal take a quarter of a minute, and the machine may be busy. */
const LOAD_DEADLINE_MS = 240_000;

/** Interval of looks for the files, which hardly cost time: the files are small and the terminals idle. */
const POLL_MS = 20;

export interface LoadFigures {
  /** Time from the start of `cat` until the terminal answered the report that was requested after the last byte. */
  wallMs: number;
  /** CPU time of the terminal, until it rested. */
  cpuMs: number;
}

/** Load -> terminal -> figures; each the median of all rounds. */
export type LoadResults = Record<string, Record<TerminalName, LoadFigures>>;

/** Loads, with further options of the terminals beyond those of all runs. */
export interface LoadSet {
  loads: readonly Load[];
  options?: Readonly<Record<TerminalName, readonly string[]>>;
}

/** Measures loads. Terminals take turns within a load, so that other load on the machine affects all alike. */
export async function measureLoads(
  desktop: Desktop,
  { folder, isQuick, rounds }: { folder: string; isQuick: boolean; rounds: number },
  { loads, options }: LoadSet = { loads: bitmapLoads },
): Promise<LoadResults> {
  const results: LoadResults = {};
  for (const load of loads) {
    const path = writeLoad(load, isQuick ? load.quickMegabytes : load.megabytes, folder);
    const runs = new Map(terminalNames.map((name): [TerminalName, LoadFigures[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of terminalNames) {
        const start = (script: string): Terminal => startTerminal(name, script, desktop.environment, options?.[name]);
        runs.get(name)?.push(await runLoad(start, { path, folder, what: `${name} with ${load.name}` }));
      }
    }
    rmSync(path);
    results[load.name] = Object.fromEntries(
      [...runs].map(([name, figures]) => [
        name,
        {
          wallMs: quantile(
            figures.map(({ wallMs }) => wallMs),
            0.5,
          ),
          cpuMs: quantile(
            figures.map(({ cpuMs }) => cpuMs),
            0.5,
          ),
        },
      ]),
    ) as Record<TerminalName, LoadFigures>;
  }
  return results;
}

/** Runs a terminal on a file, and ends it. */
export async function runLoad(
  start: (script: string) => Terminal,
  { path, folder, what }: { path: string; folder: string; what: string },
): Promise<LoadFigures> {
  const [ready, go, done] = ['ready', 'go', 'done'].map((file) => join(folder, file)) as [string, string, string];
  for (const file of [ready, go, done]) rmSync(file, { force: true });
  // The answer to a device status report comes when all before it was parsed.
  const script = `stty -echo -icanon; echo > ${ready}
while [ ! -e ${go} ]; do sleep 0.05; done
start=$(date +%s%N); cat ${path}; printf '\\033[5n'; dd bs=1 count=4 >/dev/null 2>&1; end=$(date +%s%N)
echo $((end - start)) > ${done}.new; mv ${done}.new ${done}; sleep 600`;
  await using terminal = start(script);
  await fileOf(terminal, ready, what);
  await delay(200);
  const cpuBefore = terminal.cpuMs();
  writeFileSync(go, '');
  const wallMs = Number(await fileOf(terminal, done, what)) / 1e6;
  // Painting after the last answer belongs to the load, too.
  await delay(200);
  return { wallMs, cpuMs: terminal.cpuMs() - cpuBefore };
}

/** The content of a file, once the file exists. */
async function fileOf(terminal: Terminal, path: string, what: string): Promise<string> {
  const deadline = performance.now() + LOAD_DEADLINE_MS;
  while (!existsSync(path)) {
    if (!terminal.isAlive) throw new Error(`${what} ended`);
    if (performance.now() > deadline) throw new Error(`${what} is not done after ${LOAD_DEADLINE_MS} ms`);
    await delay(POLL_MS);
  }
  return readFileSync(path, 'utf8');
}
