import { expect, test } from 'vitest';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import { openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const SLOTS = 64;

const STATUS: PresenceStatus = {
  ...{ sessionSince: 1_000, nick: 'ada', nickRefusal: null, upstream: true, isAnswering: true, joinedChannels: [] },
  ...{ loggedInAs: null, notJoined: {}, problems: [] },
};

test('a new account gets the slot with fewest accounts, keeps it for ever, and one whose account is removed is empty again', async () => {
  await using open = await openStore();
  const { accounts, removals } = open.store;
  const ids: string[] = [];
  for (let index = 0; index <= SLOTS; index += 1) ids.push(await open.account(`person${index}`));
  const slots = await Promise.all(ids.map((id) => accounts.slotOf(id)));
  expect(slots).toEqual([...Array.from({ length: SLOTS }, (_, slot) => slot), 0]);

  await removals.close(ids[40] ?? '');
  expect(await accounts.slotOf(ids[40] ?? '')).toBe(40);
  expect(await accounts.slotOf(await open.account('later'))).toBe(40);
  expect(await accounts.slotOf(await open.account('latest'))).toBe(1);
  expect(await accounts.slotOf('acc_of_another_installation')).toBeUndefined();
});

test('accounts that are made at once do not get the same slot', async () => {
  await using open = await openStore();
  const { accounts } = open.store;
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => open.account(`person${index}`)));
  const slots = await Promise.all(ids.map((id) => accounts.slotOf(id)));
  expect(slots.toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual(ids.map((_, index) => index));
});

test('the slot of an account is read from the database once', async () => {
  await using open = await openStore();
  const ada = await open.account('ada');
  const { accounts } = open.store;
  await accounts.slotOf(ada);
  const statements = await statementsOf(open, async () => {
    expect(await accounts.slotOf(ada)).toBe(0);
  });
  expect(statements).toEqual([]);
});

test('accounts to attach, records of sessions and owed passwords can be those of some slots alone', async () => {
  await using open = await openStore();
  const { accounts, presences } = open.store;
  const [ada, bob, eve] = [await open.account('ada'), await open.account('bob'), await open.account('eve')];
  for (const id of [ada, bob, eve]) {
    await presences.write(id, STATUS);
    await open.database('owed_passwords').insert({ account_id: id });
  }
  for (const id of [ada, bob]) await accounts.setOnline(id, 1_000);
  const online = async (slots?: number[]) =>
    (await accounts.listOnline(slots)).map(({ accountId }) => accountId).sort();
  const sessions = async () => [...(await presences.findAll()).keys()].sort();

  expect(await online()).toEqual([ada, bob].sort());
  expect(await online([0, 2])).toEqual([ada]);
  expect(await online([])).toEqual([]);
  expect((await accounts.owedPasswords([1, 2])).sort()).toEqual([bob, eve].sort());
  expect(await accounts.owedPasswords([])).toEqual([]);
  await presences.endAll('unwanted', [0, 1]);
  expect(await sessions()).toEqual([ada, bob, eve].sort());
  await presences.endAll('unwanted', [1, 2]);
  expect(await sessions()).toEqual([ada, bob].sort());
  await presences.endAll('all', []);
  await presences.endAll('all', [1]);
  expect(await sessions()).toEqual([ada]);
});
