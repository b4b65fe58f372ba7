import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { healthOf, serves, startBeside } from '../../harness/beside.ts';
import { pair, stack, testWithPair } from '../../harness/fixtures/standby-pair.ts';

const test = testWithPair();

test('a bouncer that hangs during a takeover from a frozen process gets the new password when it answers again, and nothing is lost or doubled', async () => {
  await pair.say('before the bouncer hangs');
  const movements = pair.movements();
  const frozen = pair.serving.process;
  frozen.kill('SIGSTOP');
  stack.soju.process.kill('SIGSTOP');
  await serves(pair.waiting);
  pair.serving = pair.waiting;
  pair.bob.say('#room', 'said while the bouncer hangs');
  const late = pair
    .call('send_message', { channel: '#room', text: 'sent while the bouncer hangs', idempotency_key: 'k1' })
    .catch(() => undefined);
  await late;
  expect(await owed()).toBe(1);

  stack.soju.process.kill('SIGCONT');
  await pair.online();
  await waitFor('the password is known', async () => (await owed()) === 0);
  frozen.kill('SIGCONT');
  expect((await frozen.ended).exitCode).toBe(1);
  await pair.say('after the bouncer hung');
  await pair.stored('said while the bouncer hangs');

  const counts = await pair.counts([
    'before the bouncer hangs',
    'said while the bouncer hangs',
    'after the bouncer hung',
  ]);
  expect(Object.values(counts).map(({ stored }) => stored)).toEqual([1, 1, 1]);
  expect(pair.heard('sent while the bouncer hangs').length).toBeLessThanOrEqual(1);
  expect(pair.movements()).toBe(movements);
  await pair.replace();
});

test('a bouncer that restarts during a takeover from a frozen process gets the new password, and the account comes back', async () => {
  await pair.say('before the bouncer restarts');
  const frozen = pair.serving.process;
  frozen.kill('SIGSTOP');
  await stack.kill('soju');
  await serves(pair.waiting);
  pair.serving = pair.waiting;
  expect(await owed()).toBe(1);
  await stack.revive('soju');
  await pair.online();
  await waitFor('the password is known', async () => (await owed()) === 0);
  frozen.kill('SIGCONT');
  expect((await frozen.ended).exitCode).toBe(1);
  await pair.say('after the bouncer restarted');
  expect(await pair.counts(['before the bouncer restarts', 'after the bouncer restarted'])).toEqual({
    'before the bouncer restarts': { stored: 1, heard: 1 },
    'after the bouncer restarted': { stored: 1, heard: 1 },
  });
  await pair.replace();
});

test('one of six that wait takes over from a process that is killed, and the others go on waiting', async () => {
  const others = await Promise.all([0, 1, 2, 3, 4].map(() => startBeside(stack)));
  const all = [pair.waiting, ...others];
  await pair.say('before the rush');
  pair.serving.process.kill('SIGKILL');
  await waitFor('one serves', async () => {
    const answers = await Promise.all(all.map(healthOf));
    return answers.filter((answer) => answer?.status === 200).length === 1;
  });
  const answers = await Promise.all(all.map(healthOf));
  const index = answers.findIndex((answer) => answer?.status === 200);
  const [taker] = all.splice(index, 1);
  if (taker === undefined) throw new Error('none');
  pair.serving = taker;
  await pair.online();
  await pair.say('after the rush');
  const still = await Promise.all(all.map(healthOf));
  expect(still.map((answer) => answer?.body)).toEqual(all.map(() => ({ ok: false, reason: 'standby' })));
  const outputs = all.map(({ process }) =>
    process
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"warn"') || line.includes('"level":40') || line.includes('error')),
  );
  expect(outputs.flat()).toEqual([]);
  const [next, ...rest] = all;
  for (const { process } of rest) await process.stop();
  if (next !== undefined) pair.waiting = next;
});

/** Accounts that still get a new password at the bouncer. */
async function owed(): Promise<number> {
  const database = stack.database.connect();
  try {
    return (await database('owed_passwords')).length;
  } finally {
    await database.destroy();
  }
}
