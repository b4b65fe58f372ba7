import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Contribution } from '../../../../src/agent/collectors/collector.ts';
import { postfix } from '../../../../src/agent/collectors/postfix.ts';
import { MissingProgramError } from '../../../../src/agent/errors.ts';
import { CommandRunner } from '../../../../src/agent/host/run-command.ts';
import { writeProgram } from '../../../harness/fake-program.ts';
import { hostWith } from '../../../harness/host-double.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const ARRIVAL_MS = 1_795_218_296_000;

/** A machine on which `postqueue -j` prints this and ends so. */
const hostOf = (output: string | Buffer, { status = 0, complaint = '' } = {}) =>
  hostWith({
    now: () => ARRIVAL_MS + 90_500,
    runCommand: async ({ onOutput }) => {
      onOutput?.(Buffer.from(output));
      return { status, output: '', complaint };
    },
  });

const collect = async (host: ReturnType<typeof hostOf>): Promise<Contribution> => postfix.collect(host);

test('a queue that postfix moved on a new start keeps its ages', async () => {
  const { sections, problems } = await collect(
    hostOf(readFileSync('tests/golden/agent/recordings/postqueue-j-after-requeue')),
  );

  expect(sections.postfix).toMatchObject({ messages: 3, queues: { maildrop: 3, deferred: 0 }, oldestAgeSec: 90 });
  expect(problems).toEqual([]);
});

test('root reading the queue of a mail system that is down is not an error', async () => {
  const complaint = 'postqueue: warning: Mail system is down -- accessing queue directly';

  expect((await collect(hostOf('', { complaint }))).problems).toEqual([]);
});

test('lines that are not messages are an error beside the count of the others', async () => {
  const { sections, problems } = await collect(hostOf('garbage\n{"queue_name": "hold", "arrival_time": 5}\n'));

  expect(sections.postfix).toMatchObject({ messages: 1, queues: { hold: 1 } });
  expect(problems).toEqual(['postqueue -j printed lines that are not messages: 1']);
});

for (const [complaint, remedy] of [
  [
    'postqueue: fatal: User nobody(65534) is not allowed to view the mail queue',
    "add the agent's user to authorized_mailq_users of Postfix",
  ],
  [
    'postqueue: warning: close: Permission denied',
    'the agent needs the group postdrop (setgid_group of Postfix) as a supplementary group',
  ],
  [
    'postqueue: fatal: Queue report unavailable - mail system is down (Connect to the Postfix showq service: Connection refused)',
    'start Postfix, or set agent.postfix to false',
  ],
] as const) {
  test(`"${complaint.slice(0, 60)}…" comes with its remedy`, async () => {
    await expect(collect(hostOf('', { status: 69, complaint }))).rejects.toThrow(
      `postqueue failed: ${complaint}: ${remedy}`,
    );
  });
}

test('a status without words is reported', async () => {
  await expect(collect(hostOf('', { status: 3 }))).rejects.toThrow('postqueue failed: ended with status 3');
});

test('without Postfix the error names the remedy', async () => {
  const host = hostWith({
    runCommand: async () => {
      throw new MissingProgramError('postqueue');
    },
  });

  await expect((async () => postfix.collect(host))()).rejects.toThrow(
    'postqueue is not installed: install it, or set agent.postfix to false',
  );
});

for (const [what, script, why] of [
  [
    'is longer than there is room for',
    `exec yes '{"queue_name": "deferred", "arrival_time": ${ARRIVAL_MS / 1000}, "queue_id": "A"}'`,
    /^postqueue (printed more than \d+ bytes and was ended|did not end within 5 s and was killed): the queue has more than the \d+ messages counted by then$/,
  ],
  [
    'takes longer to list than there is time',
    `for id in A B C; do echo '{"queue_name": "hold", "arrival_time": ${ARRIVAL_MS / 1000}, "queue_id": "'$id'"}'; done; printf '{"queue_name": "hold", "arriv'; exec sleep 1000`,
    /^postqueue did not end within 5 s and was killed: the queue has more than the 3 messages counted by then$/,
  ],
] as const) {
  test(`a queue that ${what} is reported as far as it was listed, and as a failure`, async () => {
    await using folder = await tempFolder();
    writeProgram(folder.path, 'postqueue', script);
    const commands = new CommandRunner(folder.path);
    const host = hostWith({ now: () => ARRIVAL_MS + 90_500, runCommand: (command) => commands.run(command) });

    const { sections, families, problems } = await collect(host);

    expect(sections.postfix?.messages).toBeGreaterThanOrEqual(3);
    expect(sections.postfix?.oldestAgeSec).toBe(90);
    expect(families.map(({ name }) => name)).toContain('monitor_postfix_queue_messages');
    expect(problems).toEqual([expect.stringMatching(why)]);
    commands.close();
  });
}
