import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Desktop } from './desktop.ts';
import { loads, writeLoad } from './loads.ts';
import { startTerminal, type TerminalName, terminalNames } from './terminals.ts';
import { startXProxy, type XProxy } from './x-proxy.ts';

/** Duration of the stop, which imitates a suspended laptop or a slow network. */
const STOPPED_MS = 5_000;

/** Each frame differs in every cell: the load that takes the most requests. */
const LOAD = 'dense SGR cells';
const LOAD_MEGABYTES = 4;

/** Time that the load runs before the stop. */
const SETTLE_MS = 1_500;

/** Time without data after which the client has sent all. */
const QUIET_MS = 400;
const QUIET_DEADLINE_MS = 120_000;

export interface StoppedFigures {
  /** Growth of the terminal's memory while the server was stopped. */
  grownMiB: number;
  /** Its queue: everything that came after the server continued; the child had been stopped before. */
  queuedKiB: number;
  /** Time for which old frames were shown afterwards. */
  playedMs: number;
}

/** Stops the X server while the child keeps printing, and measures what the terminal keeps. */
export async function measureStoppedServer(
  desktop: Desktop,
  folder: string,
): Promise<Record<TerminalName, StoppedFigures>> {
  const load = loads.find(({ name }) => name === LOAD);
  if (load === undefined) throw new Error(`there is no load ${LOAD}`);
  // The program in a terminal leads a process group.
  const groupFile = join(folder, 'group');
  const script = `echo $$ > ${groupFile}; while :; do cat ${writeLoad(load, LOAD_MEGABYTES, folder)}; done`;
  const figures = [];
  for (const name of terminalNames) figures.push([name, await measureOne(desktop, name, { script, groupFile })]);
  return Object.fromEntries(figures);
}

async function measureOne(
  desktop: Desktop,
  name: TerminalName,
  { script, groupFile }: { script: string; groupFile: string },
): Promise<StoppedFigures> {
  await using proxy = await startXProxy(desktop.environment.DISPLAY);
  await using terminal = startTerminal(name, script, { ...desktop.environment, DISPLAY: proxy.display });
  await delay(SETTLE_MS);
  const before = terminal.residentMiB();
  desktop.server.kill('SIGSTOP');
  try {
    await delay(STOPPED_MS);
    const grownMiB = terminal.residentMiB() - before;
    process.kill(-Number(readFileSync(groupFile, 'utf8')), 'SIGSTOP');
    const { bytes } = proxy.traffic();
    desktop.server.kill('SIGCONT');
    const start = performance.now();
    const last = await quiet(proxy);
    return { grownMiB, queuedKiB: (proxy.traffic().bytes - bytes) / 1024, playedMs: Math.max(0, last - start) };
  } finally {
    // The stopped child gets SIGHUP with its terminal.
    desktop.server.kill('SIGCONT');
  }
}

/** The time of the client's last data, for now. */
async function quiet(proxy: XProxy): Promise<number> {
  const start = performance.now();
  let [bytes, last] = [proxy.traffic().bytes, start];
  while (performance.now() - last < QUIET_MS && performance.now() - start < QUIET_DEADLINE_MS) {
    await delay(10);
    if (proxy.traffic().bytes === bytes) continue;
    [bytes, last] = [proxy.traffic().bytes, performance.now()];
  }
  return last;
}
