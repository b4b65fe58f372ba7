import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf, serves } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { connectorCommand, writeConfig } from '../../harness/start-connector.ts';
import { serverDatabase } from '../../harness/test-database.ts';

const test = testWithStack();

const started: ManagedProcess[] = [];

test.beforeAll(async () => {
  await stack.connector.stop();
});

afterAll(async () => {
  for (const process of started) process.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

test('three processes with the same keys that start at once on an empty database all serve', async () => {
  const three = await prepareThree('same');
  for (const { keyFile } of three) await copyFile(join(stack.folder, 'state', 'keys.json'), keyFile);

  const running = three.map((each) => ({ ...each, process: each.start() }));

  for (const each of running) await serves(each);
});

test('of three processes without keys that start at once on an empty database, one makes keys and serves; the others end and say what they lack, and serve once they have it', async () => {
  const three = (await prepareThree('none')).map((each) => ({ ...each, process: each.start() }));
  const first = await waitFor('one serves', async () => {
    for (const each of three) if ((await healthOf(each))?.status === 200) return each;
    return undefined;
  });
  const others = three.filter((each) => each !== first);

  for (const { process, keyFile } of others) {
    expect(await process.ended).toMatchObject({ exitCode: 1 });
    expect(process.output()).toMatch(
      /has no keys: copy the keys of one of them here|and \S+ does not exist: restore the keys/,
    );
    // It did not wait for the look of each minute.
    expect(process.output()).not.toContain('can’t take over');
    await copyFile(first.keyFile, keyFile);
  }

  for (const { port, start } of others) await serves({ port, process: start() });
});

/** Prepares three processes on one empty database, each with a state directory of its own. */
async function prepareThree(what: string): Promise<Prepared[]> {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  const { config: empty } = await serverDatabase(server);
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { listen: Record<string, unknown> };
  return Promise.all(
    [1, 2, 3].map(async (n) => {
      const [port, metricsPort] = [await freePort(), await freePort()];
      const folder = join(stack.folder, `${what}-${n}`);
      const stateDirectory = join(folder, 'state');
      await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
      const own = { stateDirectory, listen: { ...config.listen, port }, metricsListen: { port: metricsPort } };
      const file = await writeConfig(folder, { ...config, ...own, database: { postgres: empty.postgres } });
      const start = (): ManagedProcess => {
        const process = startProcess({ name: `connector at ${port}`, command: connectorCommand(file) });
        started.push(process);
        return process;
      };
      return { port, keyFile: join(stateDirectory, 'keys.json'), start };
    }),
  );
}

interface Prepared {
  port: number;
  keyFile: string;
  start(): ManagedProcess;
}
