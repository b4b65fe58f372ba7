/**
 * agent.ts [--json]
 * CPU, latency, memory and start of the agent against node_exporter with the same collectors and a bare Node server,
 * interleaved in one run, because only ratios mean something on a shared machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions, lazyBuiltins } from '../scripts/bundle-options.ts';
import { type Run, Subject, type SubjectSpec } from './agent-subject.ts';

/** Short rounds, so that what else the machine does falls upon all alike. */
const ROUNDS = 25;
const SCRAPES_PER_ROUND = 40;
/** Until the compilers have done their work: an hour or two of a service that runs for months. */
const SCRAPES_BEFORE = 2_000;
const STARTS = 15;

const directory = mkdtempSync(join(tmpdir(), 'homeport-bench-'));

/** Collectors of node_exporter and of the agent that measure the same; node_exporter has none for the agent's others. */
const theirs = ['cpu', 'loadavg', 'meminfo', 'pressure', 'vmstat', 'filesystem', 'diskstats', 'netdev', 'stat', 'time'];
const ours = ['uptime', 'load', 'cpu', 'memory', 'disks', 'pressure', 'vmstat', 'diskstats', 'netdev'];

/** Flags that a program which does little and rarely could be run with. */
const variants: Readonly<Record<string, readonly string[]>> = {
  '': [],
  ', without compilers': ['--jitless'],
};

interface Figures {
  cpuMsPerScrape: number;
  p50Ms: number;
  p99Ms: number;
  residentMiB: number;
  startMs: number;
  /** Resident at the first answer. */
  startMiB: number;
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const outfile = join(directory, `${basename(entry, '.ts')}.${options.format === 'cjs' ? 'cjs' : 'mjs'}`);
  await build({ ...bundleOptions, ...options, entryPoints: [entry], outfile });
  return outfile;
}

/** The agent as it is shipped, with its configuration. */
function agentCommand(flags: readonly string[], port: number, token: string): [string, ...string[]] {
  const [tokenFile, configFile] = [join(directory, 'token'), join(directory, `agent-${port}.json`)];
  writeFileSync(tokenFile, token, { mode: 0o600 });
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { port } } }));
  return [process.execPath, ...flags, 'dist/agent.cjs', 'run', '--config', configFile];
}

async function subjectSpecs(): Promise<SubjectSpec[]> {
  const [collecting, bare] = await Promise.all([
    bundle('bench/agent-always-collecting.ts', {
      format: 'esm',
      plugins: [lazyBuiltins('src/agent', 'src/kernel', 'schemas', 'bench')],
    }),
    bundle('bench/agent-bare-server.ts', { format: 'cjs' }),
  ]);
  return [
    {
      name: 'node_exporter',
      command: (port) => [
        'prometheus-node-exporter',
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.disable-exporter-metrics',
        '--collector.disable-defaults',
        ...theirs.map((name) => `--collector.${name}`),
      ],
    },
    { name: 'bare server', command: (port) => [process.execPath, bare, String(port)] },
    {
      name: 'agent, collecting everything',
      command: (port, token) => [process.execPath, collecting, String(port), token],
    },
    ...Object.entries(variants).flatMap(([variant, flags]): SubjectSpec[] => [
      {
        name: `agent, collecting${variant}`,
        command: (port, token) => [process.execPath, ...flags, collecting, String(port), token, ...ours],
      },
      { name: `agent, cached${variant}`, command: (port, token) => agentCommand(flags, port, token) },
    ]),
  ];
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

interface Start {
  startMs: number;
  residentMiB: number;
}

async function startAll(specs: readonly SubjectSpec[]): Promise<Map<string, Start[]>> {
  const starts = new Map(specs.map(({ name }): [string, Start[]] => [name, []]));
  for (let round = 0; round < STARTS; round += 1) {
    for (const spec of specs) {
      const subject = await Subject.start(spec);
      starts.get(spec.name)?.push({ startMs: subject.startMs, residentMiB: subject.residentMiB() });
      await subject.stop();
    }
  }
  return starts;
}

async function measure(specs: readonly SubjectSpec[]): Promise<Record<string, Figures>> {
  const starts = await startAll(specs);
  const subjects = await Promise.all(
    specs.map(async (spec) => ({ name: spec.name, subject: await Subject.start(spec) })),
  );
  const runs = new Map(subjects.map(({ name }): [string, Run[]] => [name, []]));
  for (const { subject } of subjects) await subject.scrape(SCRAPES_BEFORE);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, subject } of subjects) runs.get(name)?.push(await subject.scrape(SCRAPES_PER_ROUND));
  }
  const figures = subjects.map(({ name, subject }): [string, Figures] => {
    const own = runs.get(name) ?? [];
    const latencies = own.flatMap(({ latenciesMs }) => latenciesMs);
    return [
      name,
      {
        cpuMsPerScrape: median(own.map(({ cpuMs }) => cpuMs / SCRAPES_PER_ROUND)),
        p50Ms: median(latencies),
        p99Ms: quantile(latencies, 0.99),
        residentMiB: subject.residentMiB(),
        startMs: median((starts.get(name) ?? []).map(({ startMs }) => startMs)),
        startMiB: median((starts.get(name) ?? []).map(({ residentMiB }) => residentMiB)),
      },
    ];
  });
  for (const { subject } of subjects) await subject.stop();
  return Object.fromEntries(figures);
}

function ratiosOf(figures: Record<string, Figures>): Record<string, number> {
  const ratio = (subject: string, peer: string, figure: keyof Figures): number =>
    (figures[subject]?.[figure] ?? Number.NaN) / (figures[peer]?.[figure] ?? Number.NaN);
  const everything: [string, number] = [
    'CPU per scrape that collects everything to node_exporter',
    ratio('agent, collecting everything', 'node_exporter', 'cpuMsPerScrape'),
  ];
  const ratios = Object.keys(variants).flatMap((flags): [string, number][] => [
    [
      `CPU per collecting scrape to node_exporter${flags}`,
      ratio(`agent, collecting${flags}`, 'node_exporter', 'cpuMsPerScrape'),
    ],
    [
      `CPU per cached scrape to node_exporter${flags}`,
      ratio(`agent, cached${flags}`, 'node_exporter', 'cpuMsPerScrape'),
    ],
    [
      `median latency, collecting, to node_exporter${flags}`,
      ratio(`agent, collecting${flags}`, 'node_exporter', 'p50Ms'),
    ],
    [`resident memory to bare server${flags}`, ratio(`agent, cached${flags}`, 'bare server', 'residentMiB')],
    [`start to first answer to bare server${flags}`, ratio(`agent, cached${flags}`, 'bare server', 'startMs')],
    [
      `resident memory at the first answer to bare server${flags}`,
      ratio(`agent, cached${flags}`, 'bare server', 'startMiB'),
    ],
  ]);
  return Object.fromEntries([everything, ...ratios]);
}

/** Figure -> heading of its column and digits behind the point. */
const columns: Readonly<Record<keyof Figures, [heading: string, digits: number]>> = {
  cpuMsPerScrape: ['CPU ms', 3],
  p50Ms: ['p50 ms', 3],
  p99Ms: ['p99 ms', 3],
  residentMiB: ['MiB', 1],
  startMs: ['start ms', 1],
  startMiB: ['start MiB', 1],
};

function print(figures: Record<string, Figures>, ratios: Record<string, number>): void {
  const keys = Object.keys(columns) as (keyof Figures)[];
  const line = (name: string, cells: readonly string[]): string =>
    name.padEnd(38) + cells.map((cell) => cell.padStart(11)).join('');
  const headings = keys.map((key) => columns[key][0]);
  console.log(line('subject', headings));
  for (const [name, found] of Object.entries(figures)) {
    const cells = keys.map((key) => found[key].toFixed(columns[key][1]));
    console.log(line(name, cells));
  }
  console.log();
  for (const [name, value] of Object.entries(ratios)) console.log(`${name.padEnd(84)}${value.toFixed(2)}`);
}

try {
  const figures = await measure(await subjectSpecs());
  const ratios = ratiosOf(figures);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ program: 'agent', figures, ratios }, null, 2));
  else print(figures, ratios);
} finally {
  rmSync(directory, { recursive: true });
}
