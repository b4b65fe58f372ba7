import { inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf, startBeside } from '../../harness/beside.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test('one of three processes that start at once on an empty database makes the tables and serves, and the others wait', async () => {
  const given = inject('postgres');
  if (given === undefined) throw new Error('there is no PostgreSQL in this run');
  const stack = await startConnectorStack({ database: await serverDatabase(given) });
  onTestFinished(() => stack[Symbol.asyncDispose]());
  const empty = await serverDatabase(given);

  const all = await Promise.all([0, 1, 2].map(() => startBeside(stack, { database: empty.config })));
  onTestFinished(async () => {
    for (const { process } of all) await process.stop();
  });

  await waitFor('one of them serves, and the others wait', async () => {
    const answers = await Promise.all(all.map(healthOf));
    return (
      answers
        .map((answer) => answer?.status)
        .toSorted()
        .join() === '200,503,503'
    );
  });
});
