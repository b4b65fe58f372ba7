/**
 * main.ts [--quick] [--json] [--only PART,...]
 * Compares the agent in daily life with node_exporter with the same collectors and a bare Node server, all in one run,
 * because only ratios mean something on a shared machine. It takes twenty minutes; `--quick` only shows that it runs.
 * Parts are daily, services, starts and backToBack; services makes control groups, so only root can measure it, and it
 * is left out for other accounts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeServiceGroups } from '../../tests/harness/many-cgroups.ts';
import { BACK_TO_BACK, BACK_TO_BACK_QUICK, measureBackToBack } from './back-to-back.ts';
import { DAILY, DAILY_QUICK, measureDaily } from './daily.ts';
import { printFigures, printRows, type Row } from './print.ts';
import { measureStarts } from './starts.ts';
import { createSubjects, type Subjects } from './subjects.ts';

const STARTS = 15;
const STARTS_QUICK = 2;

/** Number of services, as on a machine that is full of containers. */
const SERVICES = 700;

const isQuick = process.argv.includes('--quick');

const PARTS = ['daily', 'services', 'starts', 'backToBack'] as const;
type Part = (typeof PARTS)[number];

function partsAsked(): readonly string[] {
  const at = process.argv.indexOf('--only');
  const asked = at === -1 ? PARTS : (process.argv[at + 1] ?? '').split(',');
  const unknown = asked.filter((part) => !PARTS.some((known) => known === part));
  if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(', ')}: there are ${PARTS.join(', ')}`);
  return asked;
}

/** Daily life on a machine that is full of services; undefined where this account may not make their control groups. */
async function measureServices(specs: Subjects['shipped'][]) {
  if (process.getuid?.() !== 0) return undefined;
  using _services = makeServiceGroups(SERVICES);
  return await measureDaily(specs, isQuick ? DAILY_QUICK : DAILY);
}

async function measure({ nodeExporter, bare, shipped, same, everything }: Subjects) {
  const parts = partsAsked();
  const when = async <T>(part: Part, run: () => Promise<T>): Promise<T | undefined> =>
    parts.includes(part) ? await run() : undefined;
  return {
    daily: await when('daily', () => measureDaily([nodeExporter, bare, shipped, same], isQuick ? DAILY_QUICK : DAILY)),
    services: await when('services', () => measureServices([nodeExporter, shipped])),
    starts: await when('starts', () => measureStarts([bare, shipped], isQuick ? STARTS_QUICK : STARTS)),
    backToBack: await when('backToBack', () =>
      measureBackToBack([nodeExporter, shipped, same, everything], isQuick ? BACK_TO_BACK_QUICK : BACK_TO_BACK),
    ),
  };
}

type Figures = Awaited<ReturnType<typeof measure>>;

function rowsOf(
  { daily, services, starts, backToBack }: Figures,
  names: Readonly<Record<keyof Subjects, string>>,
): Row[] {
  const ratio = <F extends object>(all: Map<string, F> | undefined, key: keyof F, subject: string, peer: string) =>
    Number(all?.get(subject)?.[key]) / Number(all?.get(peer)?.[key]);
  const { nodeExporter, bare, shipped, same, everything } = names;
  const rows: [what: string, value: number, atMost?: number][] = [
    ['CPU a minute at a scrape every 15 s, to node_exporter', ratio(daily, 'cpuMsPerMinute', shipped, nodeExporter), 1],
    ["the same with node_exporter's collectors alone", ratio(daily, 'cpuMsPerMinute', same, nodeExporter), 1],
    ['the same of a bare Node server', ratio(daily, 'cpuMsPerMinute', bare, nodeExporter)],
    ['wake-ups a minute when nobody asks', daily?.get(shipped)?.wakeUpsPerMinute ?? Number.NaN, 2],
    [
      `the same with ${SERVICES} services, of which node_exporter reports none`,
      ratio(services, 'cpuMsPerMinute', shipped, nodeExporter),
    ],
    [
      `wake-ups a minute when nobody asks, with ${SERVICES} services`,
      services?.get(shipped)?.wakeUpsPerMinute ?? Number.NaN,
      2,
    ],
    ['resident memory after that, to a bare Node server', ratio(daily, 'residentMiB', shipped, bare), 1.15],
    ['resident memory at the first answer, to a bare Node server', ratio(starts, 'residentMiB', shipped, bare)],
    ['start to the first answer with status 200, to a bare Node server', ratio(starts, 'startMs', shipped, bare), 2],
    ['start to the first answer with metrics, to a bare Node server', ratio(starts, 'metricsMs', shipped, bare)],
    [
      "back to back: CPU of a scrape with node_exporter's collectors",
      ratio(backToBack, 'cpuMsPerScrape', same, nodeExporter),
    ],
    [
      'back to back: CPU of a scrape that collects everything',
      ratio(backToBack, 'cpuMsPerScrape', everything, nodeExporter),
    ],
    [
      'back to back: CPU of a scrape within 10 s of another',
      ratio(backToBack, 'cpuMsPerScrape', shipped, nodeExporter),
    ],
  ];
  return rows
    .filter(([, value]) => !Number.isNaN(value))
    .map(([what, value, atMost]) => ({ what, value, ...(atMost === undefined ? {} : { atMost }) }));
}

const directory = mkdtempSync(join(tmpdir(), 'homeport-bench-'));
try {
  const subjects = await createSubjects(directory);
  const figures = await measure(subjects);
  const names = Object.fromEntries(Object.entries(subjects).map(([key, { name }]) => [key, name]));
  const rows = rowsOf(figures, names as Record<keyof Subjects, string>);
  const tables = Object.fromEntries(
    Object.entries(figures).flatMap(([title, table]) =>
      table === undefined ? [] : [[title, Object.fromEntries<object>(table)]],
    ),
  );
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ program: 'agent', isQuick, rows, figures: tables }, null, 2));
  } else {
    if (isQuick) console.log('quick: this only tells that the benchmark runs; its figures mean nothing\n');
    printRows(rows);
    for (const [title, table] of Object.entries(tables)) printFigures(title, table);
  }
} finally {
  rmSync(directory, { recursive: true });
}
