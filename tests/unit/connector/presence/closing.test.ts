import { expect, test } from 'vitest';
import { World } from '../../../harness/interleavings/world.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

// The bouncer handles lines one after another, and ignores those that still wait when their session is closed.
test.each<[string, (world: World) => Promise<unknown>]>([
  ['the program ends', (world) => world.program.presences.close()],
  ['the account moves to another network', (world) => world.presence.choices.chooseNetwork('other')],
  ['the account is removed', (world) => world.program.presences.end(world.accountId)],
  ['the account goes offline', (world) => world.presence.goOffline()],
])('the lines that were written just before %s are said', async (_end, end) => {
  await using open = await openStore();
  using time = new VirtualTime();
  const texts = Array.from({ length: 3 }, (_, n) => `just before ${n}`);

  const said = await time.pass(
    (async () => {
      await using world = await World.begin(open, time, 'ada');
      await world.presence.goOnline();
      await Promise.all(texts.map((text) => world.send('#room', text, undefined)));
      expect(world.answered.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
      await end(world);
      return world.bouncer.said.map(({ text }) => text);
    })(),
  );

  expect(said).toEqual(texts);
});

test('an account that is about to move when the program ends gets no session any more', async () => {
  await using open = await openStore();
  using time = new VirtualTime();

  const left = await time.pass(
    (async () => {
      await using world = await World.begin(open, time, 'ada');
      await world.presence.goOnline();
      await world.send('#room', 'just before', undefined);
      let closing: Promise<void> | undefined;
      world.bouncer.onFlush = () => {
        world.bouncer.onFlush = () => undefined;
        closing = world.program.presences.close();
      };
      await world.presence.choices.chooseNetwork('other').catch(() => undefined);
      await closing;
      await world.quiet();
      return world.bouncer.openSessions;
    })(),
  );

  expect(left).toBe(0);
});
