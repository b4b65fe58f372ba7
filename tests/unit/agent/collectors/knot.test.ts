import { expect, test } from 'vitest';
import { createKnotCollector } from '../../../../src/agent/collectors/knot.ts';
import { MissingProgramError } from '../../../../src/agent/errors.ts';
import type { CommandResult } from '../../../../src/agent/host/run-command.ts';
import { hostWith } from '../../../harness/host-double.ts';

const collect = async (answer: Partial<CommandResult>) => {
  const asked: (readonly string[])[] = [];
  const host = hostWith({
    runCommand: async ({ program, args }) => {
      asked.push([program, ...args]);
      return { status: 0, output: '', complaint: '', ...answer };
    },
  });
  return { asked, ...(await createKnotCollector('/run/other.sock').collect(host)) };
};

test('the status of all zones is asked at the configured socket, with a time limit of its own', async () => {
  expect((await collect({})).asked).toEqual([['knotc', '-s', '/run/other.sock', '-t', '4', 'zone-status']]);
});

test('a server without zones has none', async () => {
  const { sections, families } = await collect({});

  expect(sections.knot).toEqual([]);
  expect(families.flatMap(({ name, samples }) => samples.map(({ value }) => `${name} ${value}`))).toEqual([
    'monitor_knot_zones 0',
  ]);
});

test('expiry is a metric of secondaries only, and serial one of zones that have it', async () => {
  const { families } = await collect({
    output:
      '[a.] role: master | serial: 1\n[b.] role: slave | serial: 2 | expiration: +5s\n[c.] role: slave | serial: -\n',
  });

  expect(
    families.flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => `${name} ${labels['zone'] ?? ''} ${value}`),
    ),
  ).toEqual([
    'monitor_knot_zones  3',
    'monitor_knot_zone_serial a 1',
    'monitor_knot_zone_serial b 2',
    'monitor_knot_zone_expires_seconds b 5',
    'monitor_knot_zone_expires_seconds c 0',
  ]);
});

test('zones past ten thousand are left out and counted', async () => {
  const output = Array.from({ length: 10_003 }, (_, index) => `[z${index}.] role: master | serial: 1\n`).join('');

  const { sections, problems } = await collect({ output });

  expect(sections.knot).toHaveLength(10_000);
  expect(problems).toEqual(['3 more than 10000 zones']);
});

for (const [complaint, remedy] of [
  [
    "error: failed to connect to socket '/run/knot/knot.sock' (operation not permitted)",
    'the agent needs the group of knotd (knot) as a supplementary group',
  ],
  [
    "error: failed to connect to socket '/run/knot/knot.sock' (not exists)",
    'start knotd, correct agent.knotSocket, or set agent.knot to false',
  ],
] as const) {
  test(`"${complaint}" comes with its remedy`, async () => {
    await expect(collect({ status: 1, complaint })).rejects.toThrow(`knotc failed: ${complaint}: ${remedy}`);
  });
}

test('without Knot the error names the remedy', async () => {
  const host = hostWith({
    runCommand: async () => {
      throw new MissingProgramError('knotc');
    },
  });

  await expect((async () => createKnotCollector('/s').collect(host))()).rejects.toThrow(
    'knotc is not installed: install it, or set agent.knot to false',
  );
});
