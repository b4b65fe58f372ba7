import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { shareProcessOf } from '../../../src/connector/store/hold/slot-lock.ts';
import type { Agent } from '../../harness/agent.ts';
import { toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { heardFrom } from '../../harness/sending.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';

const LOGINS = ['ada', 'eve', 'kim'];
const PEOPLE_MAX = 12;
const COMMAND_DEADLINE_MS = 240_000;
const NAMES = /process \d+ on \S+/g;

const test = testWithStack({
  isUnpaced: true,
  config: { settings: { ownerLogins: ['ada'], maxUsers: PEOPLE_MAX } },
});

let bob: IrcClient;
let group: Members;
const agents = new Map<string, Agent>();

test.beforeAll(async () => {
  for (const login of LOGINS) {
    await stack.invite(login);
    const agent = await agentIn(stack, login, ['#room']);
    agents.set(login, agent);
    await agent.call('go_online');
    await connected(agent);
  }
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  group = await startMembers(stack);
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  for (const part of [...agents.values(), group]) await part?.[Symbol.asyncDispose]();
});

/** Slots that each process has, by what the doctor says. */
const slotsIn = (line: Line | undefined): number[] =>
  [...(line?.says.matchAll(/ for (\d+) \(\d+ accounts?\)/g) ?? [])].map(([, slots]) => Number(slots));

const isSpread = async (): Promise<boolean> =>
  JSON.stringify(slotsIn(await accountsLine(1)).toSorted((a, b) => a - b)) === '[21,21,22]';

let round = 0;

test('the doctor says from each machine how many account slots and accounts each process has', async () => {
  await waitFor('the slots are spread', isSpread);

  for (const n of [0, 1, 2]) {
    const line = await accountsLine(n);
    expect(line).toMatchObject({ ok: true });
    expect(slotsIn(line).reduce((sum, slots) => sum + slots, 0)).toBe(64);
    for (const { process } of group.members) expect(line?.says).toContain(`process ${process.pid} on `);
  }
});

test('a person who is invited on the machine of any process is let in by all', async () => {
  for (const n of [0, 1, 2]) expect(await command(n, 'invite', `guest-${n}`)).toMatchObject({ exitCode: 0 });

  expect(await loginsStored()).toEqual([...LOGINS, 'guest-0', 'guest-1', 'guest-2'].toSorted());
});

test('migrate says beside three processes that the database is up to date', async () => {
  for (const n of [0, 2]) {
    expect(await command(n, 'migrate')).toEqual({ exitCode: 0, stdout: 'the database is up to date', stderr: '' });
  }
});

test('a restore and a move name all processes that have to end, however many of the three still run', async () => {
  expect(await command(2, 'backup', '--to', join(stack.folder, 'saved'))).toMatchObject({ exitCode: 0, stderr: '' });
  const restore = ['restore', '--from', join(stack.folder, 'saved'), '--replace'] as const;
  const move = ['migrate', '--from', 'postgres:', '--to', `sqlite:${join(stack.folder, 'moved.db')}`] as const;

  for (const refused of [await command(1, ...restore), await command(1, ...move)]) {
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    const named = new Set(refused.stderr.match(NAMES));
    expect([...named].map((name) => Number(/\d+/.exec(name)))).toHaveLength(group.members.length);
  }
  expect((await command(1, ...restore)).stderr).toContain("systemctl stop 'homeport-connector@*', on each machine");
});

test('new keys are to be brought to all processes, which are restarted in any order', async () => {
  const before = await readFile(join(stack.folder, `member-${member(2).port}`, 'state', 'keys.json'), 'utf8');

  const { exitCode, stdout } = await command(2, 'rotate-keys');

  const file = join(stack.folder, `member-${member(2).port}`, 'state', 'keys.json');
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`copy ${file} to the state directory of each, restart them in any order`);
  await writeFile(file, before, { mode: 0o600 });
});

test('the doctor names account slots of a process that was killed, as long as a transaction of it may still write', async () => {
  const database = stack.database.connect();
  const [row]: { process_id: string }[] = await database('processes')
    .where('name', 'like', `process ${member(2).process.pid} on %`)
    .select('process_id');
  const writing = await database.transaction();
  await writing.raw(shareProcessOf('CAST(? AS text)'), [row?.process_id ?? '']);

  member(2).process.kill('SIGKILL');
  await member(2).process.ended;
  const line = await accountsLine(0);

  expect(line).toMatchObject({ ok: false, remedy: expect.stringContaining('look again then') });
  expect(line?.says).toMatch(
    new RegExp(`; not served: 2[12] \\(\\d accounts?\\) of process ${member(2).process.pid} on \\S+, which is silent$`),
  );
  await writing.rollback();
  await database.destroy();
  await waitFor('two processes have its slots', async () => {
    const found = await accountsLine(1);
    return found?.ok === true && slotsIn(found).reduce((sum, slots) => sum + slots, 0) === 64;
  });
  await allHearAndSpeak([0, 1]);
});

test('after a restore of three processes that have ended all accounts are spread over three new ones, as in the backup', async () => {
  expect(await command(0, 'invite', 'after-the-backup')).toMatchObject({ exitCode: 0 });
  const restore = ['restore', '--from', join(stack.folder, 'saved'), '--replace'] as const;
  await member(0).process.stop();
  const refused = await command(1, ...restore);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(new Set(refused.stderr.match(NAMES)).size).toBe(1);
  await member(1).process.stop();

  expect(await command(2, ...restore)).toMatchObject({ exitCode: 0, stderr: '' });

  await Promise.all(group.members.map((each) => each.restart()));
  await waitFor('the slots are spread', isSpread);
  expect(await loginsStored()).toEqual([...LOGINS, 'guest-0', 'guest-1', 'guest-2'].toSorted());
  await allHearAndSpeak([0, 1, 2]);
});

test('the last of three processes that end in order acts for all accounts', async () => {
  await member(0).process.stop();
  await member(2).process.stop();

  await waitFor('it has all slots', async () => JSON.stringify(slotsIn(await accountsLine(1))) === '[64]');
  await allHearAndSpeak([1]);
});

/** Runs a command with the configuration of one of the processes. */
async function command(n: number, name: string, ...words: string[]) {
  const configFile = join(stack.folder, `member-${member(n).port}`, 'connector.json');
  const [program, ...args] = connectorCommand(configFile, name);
  const { exitCode, stdout, stderr } = await execa(program, [...args, ...words], {
    reject: false,
    timeout: COMMAND_DEADLINE_MS,
  });
  return { exitCode, stdout, stderr };
}

/** Returns the doctor's line about accounts, from the machine of one of the processes. */
async function accountsLine(n: number): Promise<Line | undefined> {
  const { stdout } = await command(n, 'doctor', '--json');
  return (JSON.parse(stdout) as { checks: Line[] }).checks.find(({ name }) => name === 'accounts');
}

async function loginsStored(): Promise<string[]> {
  const database = stack.database.connect();
  try {
    return await database('accounts').orderBy('login').pluck('login');
  } finally {
    await database.destroy();
  }
}

/** Each account hears a line, and says one, through one of the processes. */
async function allHearAndSpeak(through: readonly number[]): Promise<void> {
  round += 1;
  const text = `round ${round}`;
  bob.say('#room', text);
  for (const [n, [login, agent]] of [...agents].entries()) {
    const call = toolsAt(member(through[n % through.length] ?? 0), agent);
    await waitFor(`${login} hears ${text}`, async () => {
      const { entries } = await call('read_history', { channel: '#room', mode: 'recent', limit: 20 });
      return (entries as { text: string }[]).filter((entry) => entry.text === text).length === 1;
    });
    const said = `${login} in ${text}`;
    await call('send_message', { channel: '#room', text: said, idempotency_key: said.replaceAll(' ', '-') });
    await waitFor(`bob hears ${said}`, () => heardFrom(bob, login).includes(said));
  }
}

function member(n: number): Member {
  const found = group.members[n];
  if (found === undefined) throw new Error(`there is no member ${n}`);
  return found;
}

interface Line {
  name: string;
  ok: boolean;
  says: string;
  remedy?: string;
}
