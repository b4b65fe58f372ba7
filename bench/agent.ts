/**
 * agent.ts [--json]
 * CPU, latency, memory and start of the agent against node_exporter with the same collectors and a bare Node server,
 * interleaved in one run, because only ratios mean something on a shared machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Run, Subject, type SubjectSpec } from './agent-subject.ts';

const ROUNDS = 6;
const SCRAPES_PER_ROUND = 150;
const STARTS = 5;

const directory = mkdtempSync(join(tmpdir(), 'homeport-bench-'));
/** Flags under which a program that does little and rarely needs less. */
const lean = ['--no-opt', '--max-semi-space-size=1', '--v8-pool-size=0'];

interface Figures {
  cpuMsPerScrape: number;
  p50Ms: number;
  p99Ms: number;
  residentMiB: number;
  startMs: number;
}

async function bundle(entry: string): Promise<string> {
  const outfile = join(directory, entry.replaceAll('/', '-').replace(/ts$/, 'mjs'));
  const js =
    "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    // As in scripts/build.ts.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    format: 'esm',
    target: 'node22',
    banner: { js },
    logLevel: 'warning',
  });
  return outfile;
}

/** The agent as it is shipped, with its configuration. */
function agentCommand(file: string, flags: readonly string[], port: number, token: string): [string, ...string[]] {
  const [tokenFile, configFile] = [join(directory, 'token'), join(directory, `agent-${port}.json`)];
  writeFileSync(tokenFile, token, { mode: 0o600 });
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { port }, logLevel: 'error' } }));
  return [process.execPath, ...flags, file, 'run', '--config', configFile];
}

async function subjectSpecs(): Promise<SubjectSpec[]> {
  const [agent, collecting, bare] = await Promise.all(
    ['src/agent/main.ts', 'bench/agent-always-collecting.ts', 'bench/agent-bare-server.ts'].map(bundle),
  );
  if (agent === undefined || collecting === undefined || bare === undefined) throw new Error('nothing was bundled');
  return [
    {
      name: 'node_exporter',
      command: (port) => [
        'prometheus-node-exporter',
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.disable-exporter-metrics',
        '--collector.disable-defaults',
        ...['cpu', 'loadavg', 'meminfo', 'filesystem', 'stat', 'time'].map((name) => `--collector.${name}`),
      ],
    },
    { name: 'bare server', command: (port) => [process.execPath, bare, String(port)] },
    { name: 'agent, collecting', command: (port, token) => [process.execPath, collecting, String(port), token] },
    { name: 'agent, cached', command: (port, token) => agentCommand(agent, [], port, token) },
    {
      name: 'agent, collecting, lean',
      command: (port, token) => [process.execPath, ...lean, collecting, String(port), token],
    },
    { name: 'agent, cached, lean', command: (port, token) => agentCommand(agent, lean, port, token) },
  ];
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function startTimes(specs: readonly SubjectSpec[]): Promise<Map<string, number[]>> {
  const times = new Map(specs.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 0; round < STARTS; round += 1) {
    for (const spec of specs) {
      const subject = await Subject.start(spec);
      times.get(spec.name)?.push(subject.startMs);
      await subject.stop();
    }
  }
  return times;
}

async function measure(specs: readonly SubjectSpec[]): Promise<Record<string, Figures>> {
  const starts = await startTimes(specs);
  const subjects = await Promise.all(
    specs.map(async (spec) => ({ name: spec.name, subject: await Subject.start(spec) })),
  );
  const runs = new Map(subjects.map(({ name }): [string, Run[]] => [name, []]));
  for (const { subject } of subjects) await subject.scrape(SCRAPES_PER_ROUND);
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
        startMs: median(starts.get(name) ?? []),
      },
    ];
  });
  for (const { subject } of subjects) await subject.stop();
  return Object.fromEntries(figures);
}

function ratiosOf(figures: Record<string, Figures>): Record<string, number> {
  const ratio = (subject: string, peer: string, figure: keyof Figures): number =>
    (figures[subject]?.[figure] ?? Number.NaN) / (figures[peer]?.[figure] ?? Number.NaN);
  const variants = ['', ', lean'].flatMap((flags): [string, number][] => [
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
  ]);
  return Object.fromEntries(variants);
}

function print(figures: Record<string, Figures>, ratios: Record<string, number>): void {
  console.log(
    `${'subject'.padEnd(26)}${'CPU ms'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'MiB'.padStart(8)}${'start ms'.padStart(10)}`,
  );
  for (const [name, { cpuMsPerScrape, p50Ms, p99Ms, residentMiB, startMs }] of Object.entries(figures)) {
    const cells = [cpuMsPerScrape.toFixed(3).padStart(9), p50Ms.toFixed(3).padStart(9), p99Ms.toFixed(3).padStart(9)];
    console.log(
      `${name.padEnd(26)}${cells.join('')}${residentMiB.toFixed(1).padStart(8)}${startMs.toFixed(0).padStart(10)}`,
    );
  }
  console.log();
  for (const [name, value] of Object.entries(ratios)) console.log(`${name.padEnd(52)}${value.toFixed(2)}`);
}

try {
  const figures = await measure(await subjectSpecs());
  const ratios = ratiosOf(figures);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ program: 'agent', figures, ratios }, null, 2));
  else print(figures, ratios);
} finally {
  rmSync(directory, { recursive: true });
}
