import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { rotateStateKeys } from '../../../src/connector/store/state-keys.ts';
import { servingConfig, startServingBeside } from '../../harness/beside.ts';
import {
  type ConnectorStack,
  connectorCommand,
  startConnectorStack,
  writeConfig,
} from '../../harness/start-connector.ts';

const ALL = 64;

let stack: ConnectorStack;
const processes: ManagedProcess[] = [];

beforeAll(async () => {
  stack = await startConnectorStack();
}, 240_000);

afterAll(async () => {
  for (const process of processes) process.kill('SIGKILL');
  await Promise.all(processes.map((process) => process.ended));
  await stack?.[Symbol.asyncDispose]();
});

interface Configured {
  listen: Record<string, unknown>;
  bouncer: { soju: Record<string, unknown> };
}

const configured = async (): Promise<Configured> => JSON.parse(await readFile(stack.configFile, 'utf8')) as Configured;

/** Starts a process whose keys are replaced already, while the others go on with the former ones. */
async function startWithNewerKeys(): Promise<void> {
  const folder = join(stack.folder, 'newer-keys');
  const stateDirectory = join(folder, 'state');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  await copyFile(join(stack.folder, 'state', 'keys.json'), join(stateDirectory, 'keys.json'));
  rotateStateKeys(stateDirectory);
  const config = await configured();
  const listen = { ...config.listen, port: await freePort() };
  const metricsListen = { port: await freePort() };
  const own = { stateDirectory, listen, metricsListen, ...servingConfig(stack) };
  const file = await writeConfig(folder, { ...config, ...own });
  processes.push(startProcess({ name: 'connector with newer keys', command: connectorCommand(file) }));
}

async function asked<T>(sql: string): Promise<T[]> {
  const database = stack.database.connect();
  try {
    return ((await database.raw(sql)) as { rows: T[] }).rows;
  } finally {
    await database.destroy();
  }
}

const slotsOfEach = async (): Promise<Record<string, number>> => {
  const rows = await asked<{ name: string; slots: number }>(
    `SELECT processes.name, count(account_slots.slot)::int AS slots FROM processes
     LEFT JOIN account_slots USING (process_id) GROUP BY processes.process_id, processes.name`,
  );
  return Object.fromEntries(rows.map(({ name, slots }) => [/^process (\d+) /.exec(name)?.[1] ?? name, slots]));
};

const areEntered = async (number: number): Promise<boolean> =>
  (await asked('SELECT FROM processes WHERE reads_since IS NOT NULL')).length === number;

test('a process gets no accounts if it can’t reach the bouncer, or does not serve because it has newer keys', async () => {
  const { bouncer } = await configured();
  const soju = { ...bouncer.soju, adminSocket: join(stack.folder, 'missing') };
  await startWithNewerKeys();
  await waitFor('the one with newer keys is entered', () => areEntered(1));
  const distant = await startServingBeside(stack, {}, { bouncer: { soju } });
  processes.push(distant.process);
  const good = await startServingBeside(stack);
  processes.push(good.process);

  const slotsOf = async ({ pid }: { pid: number | undefined }): Promise<number | undefined> =>
    (await slotsOfEach())[`${pid}`];
  await waitFor('half of the slots are handed over', async () => ((await slotsOf(stack.connector)) ?? ALL) <= ALL / 2);
  const seen = await slotsOfEach();
  expect(seen).toEqual({
    [`${stack.connector.pid}`]: ALL / 2,
    [`${processes[0]?.pid}`]: 0,
    [`${distant.process.pid}`]: 0,
    [`${good.process.pid}`]: ALL / 2,
  });
}, 240_000);
