import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../scripts/stack/postgres.ts';
import { administer } from '../../harness/administer.ts';
import { type PostgresProxy, startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { type Replica, startReplica } from '../../harness/postgres-replica.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';

/** A server, a replica that it does not wait for, and the address that leads to one of them. */
const open: AsyncDisposable[] = [];
let server: Postgres;
let replica: Replica;
let proxy: PostgresProxy;
let stack: ConnectorStack;
let pair: StandbyPair;

beforeEach(async () => {
  const [primaryFolder, replicaFolder, address] = [
    await opened(tempFolder()),
    await opened(tempFolder()),
    await opened(tempFolder()),
  ];
  server = await startPostgres({ folder: primaryFolder.path });
  open.unshift({ [Symbol.asyncDispose]: () => server.stop() });
  replica = await startReplica(server, replicaFolder.path);
  open.unshift({ [Symbol.asyncDispose]: () => replica.server.stop() });
  proxy = await opened(startPostgresProxy(address.path, { host: server.socketDirectory, port: server.port }));
  stack = await opened(startConnectorStack({ database: ownServerDatabase(server, address.path) }));
  pair = await opened(StandbyPair.start(stack));
});

afterEach(async () => {
  for (const part of open.splice(0)) await part[Symbol.asyncDispose]();
});

test('a replica that has lost a takeover is promoted: a number is used twice, and the process that had it before does no harm', async () => {
  await pair.say('before the takeover');
  await replica.lag();
  pair.serving.process.kill('SIGKILL');
  await pair.takeOver();
  await pair.say('lost with the server');
  const frozen = pair.serving.process;
  const before = await slotAt(server);
  await pair.replace();

  // It has lines on their way, and wakes when the number that it had is another's.
  const pending = pair.call('send_message', { channel: '#room', text: 'on its way' }).catch(() => undefined);
  frozen.kill('SIGSTOP');
  await failOver();
  pair.bob.say('#room', 'said after the promotion');
  await pair.takeOver();
  const after = await slotAt(replica.server);
  frozen.kill('SIGCONT');
  expect((await frozen.ended).exitCode).toBe(1);
  await pending;
  await pair.stored('said after the promotion');
  await pair.say('after the promotion');

  expect(after.fence).toBe(before.fence);
  expect(after.process_id).not.toBe(before.process_id);
  const texts = ['before the takeover', 'said after the promotion', 'after the promotion', 'lost with the server'];
  const counts = await pair.counts([...texts, 'on its way']);
  expect(counts).toMatchObject({
    'before the takeover': { stored: 1, heard: 1 },
    // The bouncer sends again what the replica never had.
    'lost with the server': { stored: 1, heard: 1 },
    'said after the promotion': { stored: 1, heard: 0 },
    'after the promotion': { stored: 1, heard: 1 },
  });
  expect(counts['on its way']?.heard).toBeLessThanOrEqual(1);
});

test('a process under which an older state of the database appears ends, and the one that waits goes on from there', async () => {
  await replica.lag();
  pair.serving.process.kill('SIGKILL');
  await pair.takeOver();
  await pair.say('newer than the backup');
  const older = pair.serving.process;
  await pair.replace();

  await failOver();

  expect((await older.ended).exitCode).toBe(1);
  await pair.takeOver();
  await pair.stored('newer than the backup');
  await pair.say('after the restore');
  expect(await pair.counts(['newer than the backup', 'after the restore'])).toEqual({
    'newer than the backup': { stored: 1, heard: 1 },
    'after the restore': { stored: 1, heard: 1 },
  });
});

async function opened<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const part = await opening;
  open.unshift(part);
  return part;
}

/** Returns the slot's holder, as the server with this address knows it. */
async function slotAt({
  socketDirectory: host,
  port,
  superuser,
}: Postgres): Promise<{ process_id: string; fence: string }> {
  const [slot] = await administer({ host, port, superuser }, 'SELECT process_id, fence FROM slots');
  return slot as { process_id: string; fence: string };
}

/** The address leads to the replica, which becomes a server of its own. */
async function failOver(): Promise<void> {
  await replica.promote();
  proxy.moveTo({ host: replica.server.socketDirectory, port: replica.server.port });
}
