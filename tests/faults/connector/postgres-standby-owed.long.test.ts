import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, serves, startBeside } from '../../harness/beside.ts';
import { pair, stack, testWithPair } from '../../harness/fixtures/standby-pair.ts';

const test = testWithPair();

test('a process that has taken over from a frozen one, and fails before it has given new passwords, leaves that to the next one', async () => {
  const database = stack.database.connect();
  try {
    const passwords = (): Promise<string[]> => database('accounts').pluck('bouncer_password_sealed');
    await pair.say('before the freeze');
    const before = await passwords();
    const third = await startBeside(stack);
    const frozen = pair.serving.process;

    const { ended, left } = await database.transaction(async (locking) => {
      // The first thing that a process does for accounts once it has the database.
      await locking.raw('LOCK TABLE presences IN ACCESS EXCLUSIVE MODE');
      frozen.kill('SIGSTOP');
      return firstEnded([pair.waiting, third]);
    });
    expect(ended.process.output()).toContain('this standby can’t take over');
    await serves(left);
    [pair.serving, pair.waiting] = [left, ended];

    await waitFor('the password is a new one', async () => (await passwords()).join() !== before.join());
    await waitFor('the bouncer knows it', async () => (await database('owed_passwords')).length === 0);
    frozen.kill('SIGCONT');
    expect((await frozen.ended).exitCode).toBe(1);
    await pair.online();
    await pair.say('after it woke');
    expect(await pair.counts(['before the freeze', 'after it woke'])).toEqual({
      'before the freeze': { stored: 1, heard: 1 },
      'after it woke': { stored: 1, heard: 1 },
    });
  } finally {
    await database.destroy();
  }
});

/** Resolves with the process that ends first, and the one that is left. */
function firstEnded([one, other]: [Beside, Beside]): Promise<{ ended: Beside; left: Beside }> {
  return Promise.race([
    one.process.ended.then(() => ({ ended: one, left: other })),
    other.process.ended.then(() => ({ ended: other, left: one })),
  ]);
}
