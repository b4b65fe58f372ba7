import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import {
  findPrograms,
  giveToServer,
  type Postgres,
  runAsServer,
  startPostgres,
} from '../../../scripts/stack/postgres.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { administer } from '../../harness/administer.ts';
import type { Agent } from '../../harness/agent.ts';
import { serves, toolsAt } from '../../harness/beside.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { heardFrom } from '../../harness/sending.ts';
import { type ConnectorStack, connectorCommand, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';

const LOGINS = ['ada', 'eve', 'kim'];
const MOMENT = 'the_moment';
const COMMAND_DEADLINE_MS = 240_000;

let folder: Awaited<ReturnType<typeof tempFolder>>;
let server: Postgres;
let stack: ConnectorStack;
let group: Members;
let bob: IrcClient;
const agents = new Map<string, Agent>();

const place = (name: string): string => join(folder.path, name);
const ask = (sql: string): Promise<unknown[]> =>
  administer({ host: server.socketDirectory, port: server.port, superuser: server.superuser }, sql);

beforeAll(async () => {
  folder = await tempFolder();
  for (const name of ['server', 'archive', 'copy']) await mkdir(place(name), { mode: 0o700 });
  for (const path of [folder.path, place('archive'), place('copy')]) await giveToServer(path);
  server = await startPostgres({ folder: place('server') });
  await ask('ALTER SYSTEM SET archive_mode = on');
  await ask(`ALTER SYSTEM SET archive_command = 'cp %p ${place('archive')}/%f'`);
  await server.stop();
  server = await startPostgres({ folder: place('server'), port: server.port });
  stack = await startConnectorStack({
    isUnpaced: true,
    database: ownServerDatabase(server),
    config: { settings: { ownerLogins: ['ada'], maxUsers: LOGINS.length + 1 } },
  });
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
  for (const part of [...agents.values(), group, stack]) await part?.[Symbol.asyncDispose]();
  await server?.stop();
  await folder?.[Symbol.asyncDispose]();
});

const member = (n: number): Member => {
  const found = group.members[n];
  if (found === undefined) throw new Error(`there is no member ${n}`);
  return found;
};

const configOf = (n: number): string => join(stack.folder, `member-${member(n).port}`, 'connector.json');

const slotsOfEach = async (): Promise<number[]> => {
  const rows = await ask('SELECT count(*)::int AS slots FROM account_slots GROUP BY process_id');
  return (rows as { slots: number }[]).map(({ slots }) => slots).toSorted((a, b) => a - b);
};
const areSpread = () =>
  waitFor('the slots are spread', async () => JSON.stringify(await slotsOfEach()) === '[21,21,22]');

const say = (agent: Agent, at: Pick<Member, 'port'>, text: string) =>
  toolsAt(at, agent)('send_message', { channel: '#room', text, idempotency_key: text.replaceAll(' ', '-') });

const heard = async (at: Pick<Member, 'port'>, agent: Agent): Promise<string[]> => {
  const { entries } = await toolsAt(at, agent)('read_history', { channel: '#room', mode: 'recent', limit: 100 });
  return (entries as { text: string }[]).map(({ text }) => text);
};

const movements = (): string[] =>
  bob.lines
    .filter(({ command: word }) => ['JOIN', 'QUIT', 'PART'].includes(word))
    .map(({ command: word, sender }) => `${sender} ${word}`)
    .filter((line) => !line.startsWith('bob '));

test('three processes go on from a moment in which one of them was handing its accounts over, without a JOIN or QUIT', async () => {
  await areSpread();
  const from = ['-h', server.socketDirectory, '-p', String(server.port), '-U', server.superuser];
  const how = ['-D', place('copy/data'), '--checkpoint=fast', '--wal-method=stream', '--no-sync'];
  await runAsServer(folder.path, [join(await findPrograms(), 'pg_basebackup'), ...from, ...how]);
  const ada = agents.get('ada') as Agent;
  await say(ada, member(0), 'said before the moment');
  await waitFor('bob hears it', () => heardFrom(bob, 'ada').includes('said before the moment'));
  const atMoment = await duringHandOver(() => ask(`SELECT pg_create_restore_point('${MOMENT}')`));
  await say(ada, member(1), 'said after the moment');
  await waitFor('bob hears it', () => heardFrom(bob, 'ada').includes('said after the moment'));
  expect(await command(configOf(0), 'invite', 'guest')).toMatchObject({ exitCode: 0 });
  const [row] = await ask('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await waitFor('the log is in the archive', async () => {
    const [archived] = await ask('SELECT last_archived_wal AS file FROM pg_stat_archiver');
    return (archived as { file: string | null }).file === (row as { file: string }).file;
  });

  await recover();

  // Those of three processes that are dead.
  expect(await slotsOfEach()).toHaveLength(atMoment.length);
  await Promise.all(group.members.map((each) => each.restart()));
  await areSpread();
  await allHearAndSpeak('round of the moment', group.members);
  const texts = await heard(member(1), ada);
  for (const text of ['said before the moment', 'said after the moment']) {
    expect(texts.filter((each) => each === text)).toEqual([text]);
    expect(heardFrom(bob, 'ada').filter((each) => each === text)).toEqual([text]);
  }
  expect(movements()).toEqual([]);
  // What was changed after the moment is gone.
  expect(await ask("SELECT 1 FROM accounts WHERE login = 'guest'")).toEqual([]);
});

test('a backup of the recovered moment is restored into its place before the processes start', async () => {
  await recover();
  const saved = join(stack.folder, 'recovered');

  expect(await command(configOf(1), 'backup', '--to', saved)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await command(configOf(1), 'restore', '--from', saved, '--replace')).toMatchObject({
    exitCode: 0,
    stderr: '',
  });

  expect(await ask('SELECT 1 FROM processes')).toEqual([]);
  await Promise.all(group.members.map((each) => each.restart()));
  await areSpread();
  await allHearAndSpeak('round of the backup', group.members);
  expect(movements()).toEqual([]);
});

test('one of three processes goes on alone with a file of SQLite, to which the installation was moved', async () => {
  await Promise.all(group.members.map(({ process }) => process.stop()));
  const file = join(stack.folder, 'moved.db');

  expect(await command(configOf(0), 'migrate', '--from', 'postgres:', '--to', `sqlite:${file}`)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });

  const config = JSON.parse(await readFile(configOf(0), 'utf8')) as object;
  const alone = join(stack.folder, 'alone.json');
  await writeFile(alone, JSON.stringify({ ...config, database: { sqlite: { file } } }));
  const process = startProcess({ name: 'connector alone', command: connectorCommand(alone) });
  await serves({ port: member(0).port, process });
  await allHearAndSpeak('round of one', [member(0)]);
  const { stdout } = await command(alone, 'doctor');
  expect(stdout).toMatch(/^ok +accounts +all with the only process$/m);
  await process.stop();
  expect(movements()).toEqual([]);
});

async function command(configFile: string, name: string, ...words: string[]) {
  const [program, ...args] = connectorCommand(configFile, name);
  const options = { reject: false, timeout: COMMAND_DEADLINE_MS } as const;
  const { exitCode, stdout, stderr } = await execa(program, [...args, ...words], options);
  return { exitCode, stdout, stderr };
}

/** Each account hears a line, and says one, at one of these processes. */
async function allHearAndSpeak(round: string, at: readonly Pick<Member, 'port'>[]): Promise<void> {
  bob.say('#room', round);
  for (const [n, [login, agent]] of [...agents].entries()) {
    const process = at[n % at.length];
    if (process === undefined) throw new Error('there are no processes');
    await waitFor(`${login} hears ${round}`, async () => (await heard(process, agent)).includes(round));
    await say(agent, process, `${login} in ${round}`);
    await waitFor(`bob hears ${login}`, () => heardFrom(bob, login).includes(`${login} in ${round}`));
  }
}

/** Restarts a process and acts while it gets its slots, one after the other; returns how many each process had then. */
async function duringHandOver(act: () => Promise<unknown>): Promise<number[]> {
  await member(2).process.stop();
  await waitFor('two processes have all slots', async () => JSON.stringify(await slotsOfEach()) === '[32,32]');
  const restarted = member(2).restart();
  const seen = await waitFor('it has slots', async () => {
    const slots = await slotsOfEach();
    return slots.length === group.members.length && slots;
  });
  const isAmid = JSON.stringify(seen) !== '[21,21,22]';
  if (isAmid) await act();
  await restarted;
  // This machine was too slow to see it.
  return isAmid ? seen : duringHandOver(act);
}

/** Kills all processes and the server, whose data become those of the moment. */
async function recover(): Promise<void> {
  for (const { process } of group.members) process.kill('SIGKILL');
  await Promise.all(group.members.map(({ process }) => process.ended));
  await server.crash();
  const data = place('server/data');
  await rename(data, place(`server/data-${Date.now()}`));
  await cp(place('copy/data'), data, { recursive: true });
  await runOwned(data);
  await writeFile(join(data, 'recovery.signal'), '');
  const lines = [
    `restore_command = 'cp ${place('archive')}/%f %p'`,
    `recovery_target_name = '${MOMENT}'`,
    "recovery_target_action = 'promote'",
    'archive_mode = off',
  ];
  const settings = join(data, 'postgresql.auto.conf');
  await writeFile(settings, `${await readFile(settings, 'utf8')}\n${lines.join('\n')}\n`);
  server = await startPostgres({ folder: place('server'), port: server.port });
  await waitFor('the server has recovered', async () => {
    const [row] = await ask('SELECT pg_is_in_recovery() AS is');
    return (row as { is: boolean } | undefined)?.is === false;
  });
}

/** The server's account gets all files. */
async function runOwned(path: string): Promise<void> {
  if (process.getuid?.() === 0) await execa('chown', ['-R', '--reference', place('server'), path]);
  await execa('chmod', ['700', path]);
}
