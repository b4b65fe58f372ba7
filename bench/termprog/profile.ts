import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Desktop } from './desktop.ts';
import { loads, writeLoad } from './loads.ts';
import { runLoad } from './measure-loads.ts';
import { startProfiled } from './terminals.ts';

/** Functions that are named for each load. */
const NAMED_MAX = 12;

/** V8's name for the time in which the program waits. */
const IDLE = '(idle)';

/** Time that a function itself took, on the clock: a call of the system that waits counts as well. */
export interface FunctionTime {
  what: string;
  ms: number;
  /** Part of the time in which the terminal was not idle. */
  share: number;
}

/** Load -> the functions that took most, from the start of the terminal to its end. */
export type Profiles = Record<string, readonly FunctionTime[]>;

/** The parts of a profile that are read; times are in microseconds. @see Chrome DevTools Protocol, Profiler.Profile */
interface CpuProfile {
  nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: readonly number[];
  timeDeltas: readonly number[];
}

/** Runs each load once in a terminal that samples itself. */
export async function profileLoads(
  desktop: Desktop,
  { folder, isQuick }: { folder: string; isQuick: boolean },
): Promise<Profiles> {
  const profiles: Profiles = {};
  for (const load of loads) {
    const path = writeLoad(load, isQuick ? load.quickMegabytes : load.megabytes, folder);
    const written = join(folder, 'profile');
    mkdirSync(written);
    const start = (script: string) => startProfiled(script, desktop.environment, written);
    await runLoad(start, { path, folder, what: `the sampled terminal with ${load.name}` });
    const [file] = readdirSync(written);
    if (file === undefined) throw new Error(`the sampled terminal with ${load.name} wrote no profile`);
    profiles[load.name] = functionTimes(JSON.parse(readFileSync(join(written, file), 'utf8')) as CpuProfile);
    rmSync(written, { recursive: true });
    rmSync(path);
  }
  return profiles;
}

/** The functions that took the most time, in descending order. */
export function functionTimes({ nodes, samples, timeDeltas }: CpuProfile): FunctionTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, node] of samples.entries()) {
    const name = names.get(node) ?? '';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  }
  times.delete(IDLE);
  const busyMs = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  return [...times]
    .map(([what, ms]) => ({ what, ms, share: ms / busyMs }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, NAMED_MAX);
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName;
  const file = url.slice(url.lastIndexOf('/') + 1).replace(/^program-\w+/, 'program');
  return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
}

/** The list for people. */
export function formatProfiles(profiles: Profiles): string {
  return Object.entries(profiles)
    .map(([load, functions]) =>
      [
        `${load}: where termprog's time goes`,
        ...functions.map(
          ({ what, ms, share }) =>
            `${ms.toFixed(1).padStart(10)} ms ${(100 * share).toFixed(1).padStart(5)} %  ${what}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
