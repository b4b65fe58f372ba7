import { expect, test } from 'vitest';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import { openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const SLOTS = 64;
/** Slot of the account that was made as number n: neighbours in time are not neighbours among the slots. */
const slotOfNumber = (n: number): number => (n * 37) % SLOTS;

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
  expect(slots).toEqual(Array.from({ length: SLOTS + 1 }, (_, n) => slotOfNumber(n)));
  expect(new Set(slots).size).toBe(SLOTS);

  await removals.close(ids[40] ?? '');
  expect(await accounts.slotOf(ids[40] ?? '')).toBe(slotOfNumber(40));
  expect(await accounts.slotOf(await open.account('later'))).toBe(slotOfNumber(40));
  expect(await accounts.slotOf(await open.account('latest'))).toBe(slotOfNumber(1));
  expect(await accounts.slotOf('acc_of_another_installation')).toBeUndefined();
});

test('accounts that are made at once do not get the same slot', async () => {
  await using open = await openStore();
  const { accounts } = open.store;
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => open.account(`person${index}`)));
  const slots = await Promise.all(ids.map((id) => accounts.slotOf(id)));
  const numeric = (one?: number, other?: number): number => (one ?? 0) - (other ?? 0);
  expect(slots.toSorted(numeric)).toEqual(ids.map((_, n) => slotOfNumber(n)).toSorted(numeric));
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
  expect(await online([slotOfNumber(0), slotOfNumber(2)])).toEqual([ada]);
  expect(await online([])).toEqual([]);
  expect((await accounts.owedPasswords([slotOfNumber(1), slotOfNumber(2)])).sort()).toEqual([bob, eve].sort());
  expect(await accounts.owedPasswords([])).toEqual([]);
  await presences.endAll('unwanted', [slotOfNumber(0), slotOfNumber(1)]);
  expect(await sessions()).toEqual([ada, bob, eve].sort());
  await presences.endAll('unwanted', [slotOfNumber(1), slotOfNumber(2)]);
  expect(await sessions()).toEqual([ada, bob].sort());
  await presences.endAll('all', []);
  await presences.endAll('all', [slotOfNumber(1)]);
  expect(await sessions()).toEqual([ada]);
});
