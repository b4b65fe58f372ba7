import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { formatReport } from '../../../src/agent/printing/report-table.ts';
import { type AgentTree, copyAgentTree } from '../../harness/agent-tree.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

/** Each run collects everything once, on a machine that may be busy. */
const DEADLINE_MS = 60_000;

/** Sources of the recorded machine that hold text in some form. */
const sources = [
  ...['stat', 'loadavg', 'meminfo', 'uptime', 'vmstat', 'diskstats', 'net/dev', 'pressure/io'].map(
    (name) => `proc/${name}`,
  ),
  'usr/lib/os-release',
  'sys/fs/cgroup/system.slice/ssh.service/memory.current',
  'sys/fs/cgroup/system.slice/ssh.service/memory.max',
];

const recorded = (path: string): string => readFileSync(`tests/golden/agent/${path}`, 'latin1');

const insert = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 6 }),
  fc.constantFrom('-', '1e9', '18446744073709551615', '\n', ' ', '\n\n', '0x10', 'NaN', 'Infinity', '"', '\\'),
);

/** Changes to a text: where, in per mille of its length, what is cut out there and what is put in; and whether all of it comes twice. */
const damage = fc.record({
  edits: fc.array(fc.tuple(fc.nat(1000), fc.nat(8), insert), { minLength: 1, maxLength: 6 }),
  isDoubled: fc.boolean(),
});

test(
  'with any content of its files the agent makes a report by the schema and metrics with each series once',
  async () => {
    await using tree = await copyAgentTree();

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sources), damage, async (path, change) => {
        const text = recorded(`root/${path}`);
        tree.write(path, damaged(text, change));
        try {
          await expectReadable(tree);
        } finally {
          tree.write(path, text);
        }
      }),
      { numRuns: fuzzRuns(200) },
    );
  },
  DEADLINE_MS,
);

test(
  'with any output of its programs the agent makes a report by the schema and metrics with each series once',
  async () => {
    await using tree = await copyAgentTree({ postfix: true, knot: true });
    const recordings = ['wg-latest-handshakes', 'wg-transfer', 'postqueue-j', 'zone-status-secondary-extended'];
    const printed = `${tree.root}/printed`;
    for (const [name, file] of [
      ['wg', 'wg-$3'],
      ['postqueue', 'postqueue-j'],
      ['knotc', 'zone-status-secondary-extended'],
    ] as const) {
      tree.program(name, `cat "${printed}/${file}"`);
    }

    await fc.assert(
      fc.asyncProperty(fc.tuple(damage, damage, damage, damage), async (changes) => {
        for (const [index, change] of changes.entries()) {
          const recording = recordings[index] ?? '';
          tree.write(`printed/${recording}`, damaged(recorded(`recordings/${recording}`), change));
        }
        await expectReadable(tree);
      }),
      { numRuns: fuzzRuns(60) },
    );
  },
  DEADLINE_MS,
);

function damaged(text: string, { edits, isDoubled }: typeof damage extends fc.Arbitrary<infer T> ? T : never): string {
  const mutant = edits.reduce((before, [at, cut, piece]) => {
    const index = Math.floor((before.length * at) / 1000);
    return before.slice(0, index) + piece + before.slice(index + cut);
  }, text);
  return isDoubled ? `${mutant}${mutant}` : mutant;
}

/** Expects that a hub, a scraper and a person can read what each of them gets. */
async function expectReadable(tree: AgentTree): Promise<void> {
  // Fails on a series that is there twice.
  const { report } = await tree.collect();
  expect(hostReport.parse(report)).toEqual(report);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
  expect(formatReport(report)).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
}
