import type { Knex } from 'knex';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { healthOf, serves, toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { buildNewerConnector } from '../../harness/newer-connector.ts';
import { agentIn } from '../../harness/person.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';

const ADDITIVE = '0098-slow+additive';
const BREAKING = '0099-slow';
/** Goes on for as long as the table `go_on` is empty. */
const SLOWLY = 'DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM go_on) LOOP PERFORM pg_sleep(0.05); END LOOP; END $$';

const test = testWithStack();

let ada: Agent;
let group: Members;
let database: Knex;
let older: Member;
let other: Member;

test.beforeAll(async () => {
  database = stack.database.connect();
  await database.schema.createTable('go_on', (table) => void table.text('now'));
  ada = await agentIn(stack, 'ada', ['#room']);
  group = await startMembers(stack, 2);
  const [one, two] = group.members;
  if (one === undefined || two === undefined) throw new Error('two are wanted');
  [older, other] = [one, two];
});

afterAll(async () => {
  await database?.destroy();
  for (const part of [ada, group]) await part?.[Symbol.asyncDispose]();
});

const worksAtOlder = async (): Promise<void> => {
  expect(await toolsAt(older, ada)('see_account_information')).toHaveProperty('presence');
};

const steps = (): Promise<string[]> => database('knex_migrations').where('name', 'like', '009%').pluck('name');

test('a newer process that is killed within an additive step leaves nothing of it and harms no older one, and its next run does the step', async () => {
  const newer = await buildNewerConnector(ADDITIVE, SLOWLY);
  await other.replace(newer);
  await killWithinStep(other, worksAtOlder);

  await worksAtOlder();
  expect([await steps(), await database.schema.hasTable(ADDITIVE)]).toEqual([[], false]);
  await database('go_on').insert({ now: 'yes' });
  await other.replace(newer);
  await serves(other);

  expect([await steps(), await database.schema.hasTable(ADDITIVE)]).toEqual([[ADDITIVE], true]);
  await worksAtOlder();
});

test('a newer process that is killed within another step leaves nothing of it, and an older one, which ended meanwhile, serves again', async () => {
  const newer = await buildNewerConnector(BREAKING, SLOWLY);
  await database('go_on').delete();
  await older.process.stop();
  await other.replace(newer);
  await killWithinStep(other, async () => {
    await older.replace();
    expect(await older.process.ended).toMatchObject({ exitCode: 1 });
    expect(older.process.output()).toContain('which is of a newer version, has taken the database, and changes it');
  });

  // As its service manager does.
  await waitFor('the older one serves', async () => {
    const hasEnded = await Promise.race([older.process.ended.then(() => true), healthOf(older).then(() => false)]);
    if (hasEnded) await older.replace();
    return (await healthOf(older))?.status === 200;
  });
  expect([await steps(), await database.schema.hasTable(BREAKING)]).toEqual([[ADDITIVE], false]);
  await worksAtOlder();
});

/** Waits until a process is within the slow statement of a step, and kills it there. */
async function killWithinStep({ process }: Member, meanwhile: () => Promise<void>): Promise<void> {
  const within = "state = 'active' AND query LIKE 'DO %go_on%' AND pid <> pg_backend_pid()";
  await waitFor(
    'it is within the step',
    async () => (await database.raw(`SELECT FROM pg_stat_activity WHERE ${within}`)).rows.length > 0,
    { process },
  );
  await meanwhile();
  process.kill('SIGKILL');
  await process.ended;
}
