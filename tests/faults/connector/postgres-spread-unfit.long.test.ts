import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { ManagedProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startServingBeside } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';

const ALL = 64;

const test = testWithStack();

const processes: ManagedProcess[] = [];

afterAll(async () => {
  for (const process of processes) process.kill('SIGKILL');
  await Promise.all(processes.map((process) => process.ended));
});

interface Configured {
  bouncer: { soju: Record<string, unknown> };
}

const configured = async (): Promise<Configured> => JSON.parse(await readFile(stack.configFile, 'utf8')) as Configured;

test('a process gets no accounts if it can’t reach the bouncer', async () => {
  const { bouncer } = await configured();
  const soju = { ...bouncer.soju, adminSocket: join(stack.folder, 'missing') };
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
    [`${distant.process.pid}`]: 0,
    [`${good.process.pid}`]: ALL / 2,
  });
}, 240_000);

async function asked<T>(sql: string): Promise<T[]> {
  const database = stack.database.connect();
  try {
    return ((await database.raw(sql)) as { rows: T[] }).rows;
  } finally {
    await database.destroy();
  }
}

async function slotsOfEach(): Promise<Record<string, number>> {
  const rows = await asked<{ name: string; slots: number }>(
    `SELECT processes.name, count(account_slots.slot)::int AS slots FROM processes
     LEFT JOIN account_slots USING (process_id) GROUP BY processes.process_id, processes.name`,
  );
  return Object.fromEntries(rows.map(({ name, slots }) => [/^process (\d+) /.exec(name)?.[1] ?? name, slots]));
}
