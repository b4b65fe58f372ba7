/**
 * fixture.ts [--json]
 * Compares the agent's output for node_exporter's recorded machine with the output that its authors publish.
 * NODE_EXPORTER_SOURCE names a checkout of node_exporter.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { parseExposition } from '../../scripts/stack/exposition.ts';

/** Metrics that the agent must give under node_exporter's names, and that the recording has. @spec agent#metrics */
const OWED =
  /^node_(cpu_seconds_total|load\d+|boot_time_seconds|memory_(MemTotal|MemAvailable|MemFree|Buffers|Cached|Shmem|Dirty|SwapTotal|SwapFree)_bytes|pressure_(cpu|memory|io)_waiting_seconds_total|pressure_(memory|io)_stalled_seconds_total|vmstat_(oom_kill|pswpin|pswpout|pgmajfault)|disk_(reads_completed|writes_completed|read_bytes|written_bytes|io_time_seconds)_total)\{/;

/** Partitions, which the agent always leaves out. */
const NOT_OWED = /device="mmcblk0p\d"/;

const DEADLINE_MS = 60_000;

interface Comparison {
  equal: number;
  different: string[];
  missing: string[];
  /** HELP and TYPE lines that are not node_exporter's. */
  otherComments: string[];
}

/** Copies the recording, so that the checkout stays as it was, and unpacks the part of it that is packed. */
async function unpack(source: string, directory: string): Promise<string> {
  const fixtures = join(directory, 'fixtures');
  cpSync(join(source, 'collector/fixtures'), fixtures, { recursive: true, verbatimSymlinks: true });
  await execa(join(source, 'ttar'), ['-C', fixtures, '-x', '-f', join(fixtures, 'sys.ttar')], {
    timeout: DEADLINE_MS,
  });
  return fixtures;
}

async function compare(source: string, directory: string): Promise<Comparison> {
  const fixtures = await unpack(source, directory);
  const roots = [`--procfs=${fixtures}/proc`, `--sysfs=${fixtures}/sys`, `--rootfs=${fixtures}`];
  const { stdout } = await execa(process.execPath, ['src/agent/main.ts', 'metrics', ...roots], {
    timeout: DEADLINE_MS,
  });
  const ours = parseExposition(stdout);
  const theirs = parseExposition(readFileSync(join(fixtures, 'e2e-output.txt'), 'utf8'));
  const owed = [...theirs.samples].filter(([key]) => OWED.test(key) && !NOT_OWED.test(key));
  const present = owed.filter(([key]) => ours.samples.has(key));
  const different = present.filter(([key, value]) => ours.samples.get(key) !== value);
  const names = new Set(present.map(([key]) => key.slice(0, key.indexOf('{'))));
  return {
    equal: present.length - different.length,
    different: different.map(([key, value]) => `${key} is ${ours.samples.get(key)}, should be ${value}`),
    missing: owed.filter(([key]) => !ours.samples.has(key)).map(([key]) => key),
    otherComments: [...ours.comments].filter(
      (line) => names.has(line.split(' ')[1] ?? '') && !theirs.comments.has(line),
    ),
  };
}

function print({ equal, different, missing, otherComments }: Comparison): void {
  console.log(`equal ${equal}, different ${different.length}, missing ${missing.length}`);
  for (const line of [...different, ...missing.map((key) => `${key} is missing`), ...otherComments]) console.log(line);
}

const source = process.env['NODE_EXPORTER_SOURCE'];
if (source === undefined) {
  console.error('NODE_EXPORTER_SOURCE must name a checkout of node_exporter');
  process.exitCode = 64;
} else {
  const directory = mkdtempSync(join(tmpdir(), 'homeport-fixture-'));
  try {
    const comparison = await compare(resolve(source), directory);
    if (process.argv.includes('--json'))
      console.log(JSON.stringify({ program: 'agent-fixture', ...comparison }, null, 2));
    else print(comparison);
    if (comparison.different.length + comparison.missing.length + comparison.otherComments.length > 0)
      process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
