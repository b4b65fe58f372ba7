import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type Ergo, startErgo } from '../../scripts/stack/ergo.ts';
import { type Postgres, startPostgres } from '../../scripts/stack/postgres.ts';
import { createAccounts } from '../../tests/harness/create-accounts.ts';
import { type IrcProxy, startIrcProxy } from '../../tests/harness/irc-proxy.ts';
import { startReplica } from '../../tests/harness/postgres-replica.ts';
import { type ConnectorStack, startConnectorStack } from '../../tests/harness/start-connector.ts';
import { startTcpBalancer, type TcpBalancer } from '../../tests/harness/tcp-balancer.ts';
import { tempFolder } from '../../tests/harness/temp-folder.ts';
import { ownServerDatabase } from '../../tests/harness/test-database.ts';
import { Member } from './member.ts';
import { channelOf, channelsOf, loginOf, type Parameters, PROCESSES } from './parameters.ts';
import { type SessionWatch, watchSessions } from './sessions.ts';

/** A process that is frozen gets no more connections after this time. */
const HEALTH_DEADLINE_MS = 2_000;
/** What a replica lacks that its server did not wait for. */
const BEHIND_MS = 1_000;

/** What the processes do, by their process ids. */
export interface Duties {
  /** The one that decides for the others. */
  holder: number | undefined;
  /** Account slots of each. */
  accountSlots: ReadonlyMap<number, number>;
}

/** Everything that a run can disturb. */
export interface Stage extends AsyncDisposable {
  stack: ConnectorStack;
  members: readonly Member[];
  /** Those of them that may be killed, frozen and restarted. */
  mortal: readonly Member[];
  balancer: TcpBalancer;
  /** Between the connector and the bouncer, and between the bouncer and the network. */
  toBouncer: SessionWatch;
  toNetwork: IrcProxy;
  /** The IRC server as people reach it. */
  network: () => Ergo;
  database: () => Postgres;
  restartNetwork(pauseMs: () => Promise<void>): Promise<void>;
  /** The server dies, and its replica continues at the same address. */
  failOver(): Promise<void>;
  restartDatabase(how: 'stop' | 'crash', pauseMs: () => Promise<void>): Promise<void>;
  /** Undefined while the database is away. */
  duties(): Promise<Duties | undefined>;
}

export async function startStage(parameters: Parameters): Promise<Stage> {
  const parts = new AsyncDisposableStack();
  // A folder of its own, which the server's account gets.
  const folder = parts.use(await tempFolder());
  let server = await startPostgres({ folder: folder.path });
  parts.defer(() => server.stop());
  const replica = await replicaOf(server, parameters, parts);
  const { stack, toBouncer, toNetwork, network } = await startStack(parameters, server, parts);
  await stack.connector.stop();
  const logs = parameters.logs ?? join(stack.folder, 'logs');
  await mkdir(logs, { recursive: true });
  const people = Array.from({ length: parameters.accounts }, (_, n) => ({
    ...{ login: loginOf(n), channels: channelsOf(n, parameters), isOnline: true },
  }));
  await createAccounts(join(stack.folder, 'state'), stack.database.config, people);
  const members: Member[] = [];
  for (let number = 0; number < PROCESSES; number += 1) {
    members.push(parts.use(await Member.prepare(stack, server, number, logs)));
  }
  // The others have to find that the slot is taken.
  const [first, ...others] = members;
  for (const group of [[first], others]) {
    for (const member of group) member?.begin();
    await Promise.all(group.map((member) => member?.serves()));
  }
  const ports = members.map(({ port }) => port);
  const balancer = parts.use(await startTcpBalancer(Number(new URL(stack.baseUrl).port), ports, HEALTH_DEADLINE_MS));
  const look = stack.database.connect();
  parts.defer(() => look.destroy());
  return {
    ...{
      stack,
      members,
      mortal: members.slice(parameters.spared),
      balancer,
      toBouncer,
      toNetwork,
      network: network.now,
    },
    database: () => server,
    restartNetwork: network.restart,
    failOver: async () => {
      if (replica === undefined) throw new Error('expected --replica, so that there is one to promote');
      await replica.promote();
      for (const { database } of members) {
        database.moveTo({ host: replica.server.socketDirectory, port: replica.server.port });
      }
    },
    restartDatabase: async (how, pause) => {
      await server[how]();
      await pause();
      server = await startPostgres({ folder: server.socketDirectory, port: server.port });
    },
    duties: () => dutiesOf(look),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

interface Promoted {
  server: Postgres;
  promote(): Promise<void>;
}

/** One that is asynchronous has fallen behind when its server dies. */
async function replicaOf(
  primary: Postgres,
  { replica: kind }: Parameters,
  parts: AsyncDisposableStack,
): Promise<Promoted | undefined> {
  if (kind === 'none') return undefined;
  const folder = parts.use(await tempFolder());
  const { server, lag, promote } = await startReplica(primary, folder.path, kind);
  parts.defer(() => server.stop());
  return {
    server,
    promote: async () => {
      if (kind === 'asynchronous') {
        await lag();
        await delay(BEHIND_MS);
      }
      await primary.crash();
      await promote();
    },
  };
}

async function startStack(parameters: Parameters, server: Postgres, parts: AsyncDisposableStack) {
  let ergo: Ergo | undefined;
  let toNetwork: IrcProxy | undefined;
  let toBouncer: SessionWatch | undefined;
  let ergoFolder = '';
  const stack = parts.use(
    await startConnectorStack({
      database: ownServerDatabase(server),
      startServer: async (options) => {
        ergoFolder = options.folder;
        ergo = await startErgo(options);
        toNetwork = parts.use(await startIrcProxy(ergo.port));
        return { ...ergo, port: toNetwork.port };
      },
      wrapBouncer: async (port) => {
        toBouncer = parts.use(await watchSessions(port));
        return toBouncer.port;
      },
      config: {
        ircChannels: Array.from({ length: parameters.channels }, (_, n) => channelOf(n)),
        settings: { ownerLogins: [loginOf(0)], maxUsers: parameters.accounts },
        events: { allowCallbackHosts: ['127.0.0.1'] },
      },
    }),
  );
  const [now, bouncerProxy, networkProxy] = [started(ergo), started(toBouncer), started(toNetwork)];
  let running = now;
  parts.defer(() => running.process.stop());
  return {
    ...{ stack, toBouncer: bouncerProxy, toNetwork: networkProxy },
    network: {
      now: () => running,
      restart: async (pause: () => Promise<void>) => {
        running.process.kill('SIGKILL');
        await running.process.ended;
        await pause();
        running = await startErgo({ folder: ergoFolder, port: now.port });
      },
    },
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('expected a part that startConnectorStack starts');
  return part;
}

/** Undefined while the database is away. */
async function dutiesOf(database: Knex): Promise<Duties | undefined> {
  const pids = async (table: 'slots' | 'account_slots'): Promise<number[]> => {
    const rows: { name: string }[] = await database(table)
      .join('processes', 'processes.process_id', `${table}.process_id`)
      .select('processes.name');
    return rows.flatMap(({ name }) => {
      const found = /^process (\d+) /.exec(name);
      return found === null ? [] : [Number(found[1])];
    });
  };
  try {
    const accountSlots = new Map<number, number>();
    for (const pid of await pids('account_slots')) accountSlots.set(pid, (accountSlots.get(pid) ?? 0) + 1);
    const [holder] = await pids('slots');
    return { holder, accountSlots };
  } catch {
    return undefined;
  }
}
