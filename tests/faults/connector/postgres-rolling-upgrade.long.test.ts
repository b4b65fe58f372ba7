import { readFile, writeFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { healthOf, serves } from '../../harness/beside.ts';
import { askByFetch, BusyClients, callerBy } from '../../harness/busy-clients.ts';
import { buildNewerConnector } from '../../harness/newer-connector.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { startTcpBalancer, type TcpBalancer } from '../../harness/tcp-balancer.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';

/** Time in which a member goes on accepting connections: longer than the balancer needs to notice. */
const DRAIN_SECONDS = 2;
const ADDITIVE = '0098-of-a-newer-version+additive';
const BREAKING = '0099-of-a-newer-version';
/** EX_CONFIG of sysexits(3). */
const UNFIT_STATUS = 78;

let stack: ConnectorStack;
let ada: Agent;
let group: Members;
let balancer: TcpBalancer;
let database: Knex;

beforeAll(async () => {
  stack = await startConnectorStack({ isUnpaced: true });
  database = stack.database.connect();
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  await connected(ada);
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { listen: Record<string, unknown> };
  const listen = { ...config.listen, drainSeconds: DRAIN_SECONDS };
  await writeFile(stack.configFile, JSON.stringify({ ...config, listen }));
  group = await startMembers(stack);
  const ports = group.members.map(({ port }) => port);
  balancer = await startTcpBalancer(Number(new URL(stack.baseUrl).port), ports);
});

afterAll(async () => {
  await database?.destroy();
  for (const part of [balancer, ada, group, stack]) await part?.[Symbol.asyncDispose]();
});

const steps = (): Promise<string[]> => database('knex_migrations').where('name', 'like', '009%').pluck('name');

const logOf = (member: Member): Record<string, unknown>[] =>
  member.process
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('three processes are upgraded one after another to a version with an additive step, and back: each serves beside those of the other version, and harms none', async () => {
  const newer = await buildNewerConnector(ADDITIVE);
  const { clients, again } = work();
  await using _clients = clients;
  await again();

  for (const program of [newer, undefined]) {
    for (const member of group.members) {
      await member.replace(program);
      await serves(member);
      await again();
    }
    expect(await steps()).toEqual([ADDITIVE]);
  }
  await clients.stop();

  expect(clients.failed).toEqual([]);
});

test('processes of a newer version with another step wait, and say for which ones, while older ones serve unharmed; they begin when the last one has ended', async () => {
  const newer = await buildNewerConnector(BREAKING);
  const [first, second, last] = group.members;
  if (first === undefined || second === undefined || last === undefined) throw new Error('three are wanted');
  const { clients, again } = work();
  await using _clients = clients;
  await again();

  for (const member of [first, second]) {
    await member.replace(newer);
    await waitFor('it waits', () => member.process.output().includes('this process waits'), member);
    await again();
    expect(await healthOf(member)).toBeUndefined();
  }
  await waitFor('the last older one serves alone', async () => {
    const [slot] = await database('slots').join('processes', 'slots.process_id', 'processes.process_id').select('name');
    return slot?.name?.startsWith(`process ${last.process.pid} `) === true;
  });
  await again();
  await clients.stop();
  expect(clients.failed).toEqual([]);
  expect(await steps()).toEqual([ADDITIVE]);

  await last.replace(newer);
  for (const member of group.members) await serves(member);

  expect(await steps()).toEqual([ADDITIVE, BREAKING]);
  const waited = logOf(second).filter(({ msg }) => String(msg).startsWith('this process waits'));
  expect(waited).toMatchObject([{ steps: [BREAKING], processes: [expect.stringMatching(/^process \d+ on \S+ \(/)] }]);
  await ada.call('see_account_information');
});

test('an older version that is started after such a step ends with the remedy, and harms no other process', async () => {
  const [first, ...others] = group.members;
  if (first === undefined) throw new Error('three are wanted');

  await first.replace();

  expect(await first.process.ended).toMatchObject({ exitCode: UNFIT_STATUS });
  expect(first.process.output()).toContain(
    `a newer version of homeport-connector has changed it (${BREAKING}): install that version, or restore the backup made before the update`,
  );
  for (const other of others) expect(await healthOf(other)).toMatchObject({ status: 200 });
});

/** Reads and sends without a pause. The result returns after each client has worked again. */
function work(): { clients: BusyClients; again: () => Promise<void> } {
  const clients = new BusyClients();
  const { tool } = callerBy(askByFetch(stack.baseUrl), ada.accessToken);
  let texts = 0;
  clients.add('reads', 50, () => tool('read_history', { channel: '#room', mode: 'recent', limit: 5 }));
  clients.add('sends', 200, () => {
    texts += 1;
    return tool('send_message', { channel: '#room', text: `text ${texts}`, idempotency_key: crypto.randomUUID() });
  });
  return {
    clients,
    again: async () => {
      const before = { ...clients.times };
      await waitFor('all clients work', () =>
        Object.entries(clients.times).every(([what, times]) => times > (before[what] ?? 0) + 1),
      );
    },
  };
}
