import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { pair, testWithPair } from '../../harness/fixtures/standby-pair.ts';
import { freezeInTransaction } from '../../harness/freeze-in-transaction.ts';

/**
 * Duration of a freeze: longer than the server lets a transaction stand idle, and longer than it needs to notice that a
 * client is gone.
 */
const LONG_FREEZE_MS = 30_000;

const test = testWithPair();

test('a process that is frozen within a transaction is taken over in spite of its locks; what it had not committed is stored once', async () => {
  await pair.say('before the transaction');
  const frozen = pair.serving.process;
  await freezeInTransaction(pair, 'said into the transaction');
  await pair.takeOver();
  await pair.say('after the transaction');
  await pair.stored('said into the transaction');

  frozen.kill('SIGCONT');
  expect((await frozen.ended).exitCode).toBe(1);
  pair.bob.say('#room', 'said after it woke');
  await pair.stored('said after it woke');

  expect(
    await pair.counts([
      'before the transaction',
      'said into the transaction',
      'after the transaction',
      'said after it woke',
    ]),
  ).toEqual({
    'before the transaction': { stored: 1, heard: 1 },
    'said into the transaction': { stored: 1, heard: 0 },
    'after the transaction': { stored: 1, heard: 1 },
    'said after it woke': { stored: 1, heard: 0 },
  });
  await pair.replace();
});

test('a process that wakes after 30 s finds everything taken: it says nothing, stores nothing, and ends', async () => {
  await pair.say('before the long freeze');
  const before = pair.movements();
  const frozen = pair.serving.process;
  const pending = pair.call('send_message', { channel: '#room', text: 'on its way' }).catch(() => undefined);
  frozen.kill('SIGSTOP');
  const frozenAt = performance.now();
  await pair.takeOver();
  await pair.say('during the long freeze');
  await waitFor('it has been frozen for 30 s', () => performance.now() - frozenAt > LONG_FREEZE_MS);

  frozen.kill('SIGCONT');
  expect((await frozen.ended).exitCode).toBe(1);
  await pending;
  await pair.say('after the long freeze');

  const { 'on its way': late, ...others } = await pair.counts([
    'before the long freeze',
    'during the long freeze',
    'after the long freeze',
    'on its way',
  ]);
  expect(Object.values(others)).toEqual(Array.from({ length: 3 }, () => ({ stored: 1, heard: 1 })));
  expect([late?.stored ?? 0, late?.heard ?? 0].every((times) => times <= 1)).toBe(true);
  expect(pair.movements()).toBe(before);
  await pair.replace();
});
