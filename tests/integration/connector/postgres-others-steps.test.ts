import { PassThrough } from 'node:stream';
import type { Knex } from 'knex';
import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { lackingMigrations, migrate, migrateTo } from '../../../src/connector/store/migrate.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test.each([
  { left: 'the step that makes the table of heartbeats, and later ones', from: '0030' },
  { left: 'steps that lock the table of heartbeats', from: '0036' },
])(
  'a process that starts while another one does $left waits for their end, says so once, and goes on',
  async ({ from }) => {
    const server = inject('postgres');
    if (server === undefined) throw new Error('this test needs the PostgreSQL server of its project');
    const own = await serverDatabase(server);
    onTestFinished(() => own[Symbol.asyncDispose]());
    const other = own.connect();
    onTestFinished(() => other.destroy());
    await migrateTo(
      other,
      (await lackingMigrations(other)).filter((name) => name < from),
    );
    const choice = choiceOf(own.config);
    // A process that makes the tables which several need has the claim on all of the database.
    const claim = from === '0030' ? await databaseServer(choice).claim('connector') : undefined;
    const steps = await other.transaction();
    await migrate(steps);
    const output = new PassThrough();
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });

    const opening = openDatabase(choice, systemClock, undefined, createLog('test', 'info', output));
    const line = 'waits for another process, which brings the schema of the database up to date';
    const waiting = waitFor('it waits', () => said.includes(line)).then(() => 'waits');
    const first = await Promise.race([waiting, opening.then(() => 'has opened it')]).finally(() => ended(steps, claim));
    const opened = await opening;
    await opened.close();

    expect(first).toBe('waits');
    expect(said.split(line)).toHaveLength(2);
    expect(await lackingMigrations(other)).toEqual([]);
  },
);

async function ended(steps: Knex.Transaction, claim: { release(): Promise<void> } | undefined): Promise<void> {
  await steps.commit();
  await claim?.release();
}
