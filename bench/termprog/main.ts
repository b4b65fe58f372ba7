/**
 * termprog [--quick] [--only PART,...] [--looks TEXT] [--pictures FOLDER] [--json] [--profile]
 * Measures the terminal beside xterm and urxvt on one private X server; they take turns, because only ratios mean
 * something on a shared machine. Parts: loads, outline, keys, start, end, rest, stopped, pixels. The whole takes about
 * a quarter of an hour; the quick run takes three minutes, and has the pixels only where --only names them.
 * With --profile each load runs once more in a terminal that samples itself: the functions that took most are printed.
 * The pixels can be compared for the looks whose name has a text in it, and a folder can get the pictures that differ.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireProgram } from '../../scripts/stack/require-program.ts';
import { type Desktop, startDesktop } from './desktop.ts';
import { outlineLoads } from './loads.ts';
import { measureEnd } from './measure-end.ts';
import { measureKeys, measureKeysUnderLoad } from './measure-keys.ts';
import { measureLoads } from './measure-loads.ts';
import { measurePixels } from './measure-pixels.ts';
import { measureRest } from './measure-rest.ts';
import { measureStart } from './measure-start.ts';
import { measureStoppedServer } from './measure-stopped-server.ts';
import { formatProfiles, profileLoads } from './profile.ts';
import { formatTable, judge, type Results, rowsOf } from './report.ts';
import { outlineFont } from './terminals.ts';

/** Repetitions of each part, and the time of rest. */
const thorough = { loads: 3, keys: 3, starts: 15, idleMs: 10_000 };
const quick = { loads: 1, keys: 1, starts: 5, idleMs: 3_000 };

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    profile: { type: 'boolean' },
    only: { type: 'string' },
    looks: { type: 'string' },
    pictures: { type: 'string' },
  },
});
const isQuick = values.quick === true;
const rounds = isQuick ? quick : thorough;

/** Part -> function that measures its results. */
const parts: Readonly<Record<string, (desktop: Desktop, folder: string) => Promise<Results>>> = {
  loads: async (desktop, folder) => ({
    loads: await measureLoads(desktop, { folder, isQuick, rounds: rounds.loads }),
  }),
  outline: async (desktop, folder) => ({
    outlineLoads: await measureLoads(
      desktop,
      { folder, isQuick, rounds: rounds.loads },
      { loads: outlineLoads, options: outlineFont },
    ),
  }),
  keys: async (desktop) => ({
    keys: await measureKeys(desktop, rounds.keys),
    keysUnderLoad: await measureKeysUnderLoad(desktop, rounds.keys),
  }),
  start: async (desktop) => ({ start: await measureStart(desktop, rounds.starts) }),
  end: async (desktop, folder) => ({ end: await measureEnd(desktop, { folder, rounds: rounds.starts }) }),
  rest: async (desktop) => ({ rest: await measureRest(desktop, rounds.idleMs), idleMs: rounds.idleMs }),
  stopped: async (desktop, folder) => ({ stopped: await measureStoppedServer(desktop, folder) }),
  pixels: async (desktop, folder) => ({
    pixels: await measurePixels(desktop, { folder, looks: values.looks, pictures: values.pictures }),
  }),
};

const wanted = values.only?.split(',') ?? Object.keys(parts).filter((part) => !(isQuick && part === 'pixels'));
const unknown = wanted.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) throw new Error(`bench: no part ${unknown.join(', ')}: name some of ${Object.keys(parts)}`);

await Promise.all(['xterm', 'urxvt'].map((program) => requireProgram(program)));
const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'));
try {
  await using desktop = await startDesktop(folder);
  let results: Results = {};
  for (const part of wanted) {
    console.error(`measuring ${part} ...`);
    results = { ...results, ...(await parts[part]?.(desktop, folder)) };
  }
  const profiles = values.profile === true ? await profileLoads(desktop, { folder, isQuick }) : undefined;
  const rows = rowsOf(results).map(judge);
  if (values.json === true) console.log(JSON.stringify({ program: 'termprog', rows, profiles }, null, 2));
  else console.log([formatTable(rows), ...(profiles === undefined ? [] : [formatProfiles(profiles)])].join('\n\n'));
} finally {
  rmSync(folder, { recursive: true });
}
