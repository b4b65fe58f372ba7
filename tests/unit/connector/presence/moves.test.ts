import { expect, test } from 'vitest';
import { World } from '../../../harness/interleavings/world.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const PRESSED = 100;

test('however often a person changes the network, the bouncer gets five new sessions a minute, and the last choice counts', async () => {
  await using open = await openStore();
  using time = new VirtualTime();
  let sessions = 0;
  const attached: number[] = [];
  const press = async (): Promise<void> => {
    await using world = await World.begin(open, time, 'ada');
    world.bouncer.onAttached = () => {
      sessions += 1;
    };
    await world.presence.goOnline();
    const answers: boolean[] = [];
    for (let n = 1; n <= PRESSED; n += 1) {
      answers.push(await world.presence.choices.chooseNetwork(n % 2 === 0 ? 'main' : 'other'));
    }
    attached.push(sessions);
    expect(answers.filter(Boolean)).toHaveLength(5);
    expect((await world.account()).network).toBe('main');

    await time.until('it is online again', () => world.presence.live !== undefined);
    attached.push(sessions);
    expect([world.bouncer.network, world.bouncer.openSessions]).toEqual(['main', 1]);
  };

  await time.pass(press());

  expect(attached).toEqual([1 + 5, 1 + 5 + 1]);
});
