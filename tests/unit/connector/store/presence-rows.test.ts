import { expect, test } from 'vitest';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import { thisProcess } from '../../../../src/connector/store/holder.ts';
import { openStore } from '../../../harness/open-store.ts';

test('a session is reported as it was written last until it ends, and outlasts the process that held it only where that is wanted', async () => {
  await using open = await openStore();
  const { presences } = open.store;
  const [ada, bob] = [await open.account('ada'), await open.account('bob')];
  const told = () => Promise.all([presences.find(ada), presences.find(bob)]);
  const later = status({ sessionSince: 3_000, nick: 'ada_', upstream: null, joinedChannels: [], notJoined: {} });

  expect(await told()).toEqual([undefined, undefined]);
  await presences.write(ada, status({}));
  await presences.write(bob, status({ nick: 'bob' }));
  expect(await told()).toEqual([status({}), status({ nick: 'bob' })]);
  await presences.write(ada, later);
  await presences.ended(bob);
  expect(await told()).toEqual([later, undefined]);
  await presences.write(bob, status({ nick: 'bob' }));
  await open.store.accounts.setOnline(ada, 1_000);
  await presences.endAll('unwanted');
  expect(await told()).toEqual([later, undefined]);
  await presences.endAll('all');
  expect(await told()).toEqual([undefined, undefined]);
});

test('the accounts of a slot are those of a process once each session in it was recorded by that process or has ended', async () => {
  await using open = await openStore();
  const { presences, accounts } = open.store;
  const [ada, bob] = [await open.account('ada'), await open.account('bob')];
  const slot = (await accounts.slotOf(ada)) ?? Number.NaN;
  const [here, there] = [thisProcess(), 'process 1 on another machine'];
  const areOf = () => Promise.all([presences.areOf(here, slot), presences.areOf(there, slot)]);

  expect(await accounts.slotOf(bob)).not.toBe(slot);
  expect(await areOf()).toEqual([true, true]);
  await presences.write(bob, status({ nick: 'bob' }));
  expect(await areOf()).toEqual([true, true]);
  await presences.write(ada, status({}));
  expect(await areOf()).toEqual([true, false]);
  await presences.ended(ada);
  expect(await areOf()).toEqual([true, true]);
});

function status(changes: Partial<PresenceStatus>): PresenceStatus {
  return {
    ...{
      sessionSince: 1_000,
      nick: 'ada',
      nickRefusal: null,
      upstream: true,
      isAnswering: true,
      joinedChannels: ['#room'],
      loggedInAs: null,
    },
    ...{ notJoined: { '#Ops': '474 Cannot join channel (+b) "\u0000"' }, problems: [], ...changes },
  };
}
