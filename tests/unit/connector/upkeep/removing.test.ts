import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { startDeletions } from '../../../../src/connector/upkeep/deletions.ts';
import { startRemovals } from '../../../../src/connector/upkeep/removing.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { heard } from '../../../harness/mentions.ts';
import { type OpenStore, openStore } from '../../../harness/open-store.ts';
import { type PlayedBouncer, playBouncer } from '../../../harness/played-bouncer.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

let open: OpenStore;
let bouncer: PlayedBouncer;
let services: Services;

beforeEach(async () => {
  open = await openStore();
  bouncer = playBouncer();
  services = createServices(serviceContext(open, {}, bouncer));
});

afterEach(() => open[Symbol.asyncDispose]());

const rowsOf = async (table: string, accountId: string): Promise<number> =>
  (await open.database(table).where('account_id', accountId)).length;

test('a deletion begins at once, without an interval, and so does all that belongs to a removal', async () => {
  const [ben, bob] = [await open.account('ben'), await open.account('bob')];
  for (const accountId of [ben, bob]) {
    await heard(
      open,
      accountId,
      Array.from({ length: 450 }, (_, n) => `line ${n}`),
    );
  }
  const upkeep = startBoth();

  await services.deleteHistory(ben);
  await waitFor('the history is gone', async () => (await rowsOf('entries', ben)) === 0);
  await services.removeAccount(bob);
  await waitFor('the account is gone', async () => (await rowsOf('accounts', bob)) === 0);

  await upkeep.close();
  expect(bouncer.removedUsers.length).toBeGreaterThan(0);
  expect(upkeep.messages).toEqual([]);
});

test('an account that another process has removed is cleared away within seconds, also without a notice', async () => {
  await open[Symbol.asyncDispose]();
  open = await openStore({ alone: () => undefined, sinceBoot: () => 0 });
  services = createServices(serviceContext(open, {}, bouncer));
  const bob = await open.account('bob');
  const upkeep = startBoth();

  await open.anew(open.clock).removals.close(bob);

  await waitFor('the account is gone', async () => (await rowsOf('accounts', bob)) === 0);
  await upkeep.close();
});

test('a removal that an earlier run of the program began is finished by the next', async () => {
  const bob = await open.account('bob');
  await heard(open, bob, ['said']);
  await open.store.removals.close(bob);

  const upkeep = startBoth();

  await waitFor('the account is gone', async () => (await rowsOf('accounts', bob)) === 0);
  await upkeep.close();
});

/** The store's retention, whose first look for deletions comes before the last line is stored. */
function tooEarly() {
  const { retention } = open.store;
  let looks = 0;
  return {
    ...retention,
    owed: async () => {
      looks += 1;
      return looks === 1 ? [] : await retention.owed();
    },
  };
}

test('a line that is stored after the deletions have looked keeps a removed account for no interval', async () => {
  const bob = await open.account('bob');
  await heard(open, bob, ['said']);
  await open.store.removals.close(bob);

  const upkeep = startBoth(tooEarly());

  await waitFor('the account is gone', async () => (await rowsOf('accounts', bob)) === 0);
  await upkeep.close();
  expect(upkeep.messages).toEqual([]);
});

test('such a line is removed at once also while the bouncer refuses to remove another person', async () => {
  const [ben, bob] = [await open.account('ben'), await open.account('bob')];
  const { name } = await open.store.accounts.bouncerUser(ben);
  await heard(open, bob, ['said']);
  for (const accountId of [ben, bob]) await open.store.removals.close(accountId);
  const remove = bouncer.removeUser;
  bouncer.removeUser = async (user) => {
    if (user === name) throw new Error('refused');
    await remove(user);
  };

  const upkeep = startBoth(tooEarly());

  await waitFor('the account is gone', async () => (await rowsOf('accounts', bob)) === 0);
  await upkeep.close();
});

test('a removal whose last step fails is tried at the next interval, and does not wake itself', async () => {
  const bob = await open.account('bob');
  await open.store.removals.close(bob);
  await open.database.schema.createTable('keepers', (table) => {
    table.text('account_id').references('accounts.account_id');
  });
  await open.database('keepers').insert({ account_id: bob });
  const owed: unknown[] = [];
  open.invalidations.on('owed', (accountId) => owed.push(accountId));

  const upkeep = startBoth();

  await waitFor('it has failed', () => upkeep.messages.length > 0);
  expect(owed).toEqual([]);
  await upkeep.close();
});

test('when a removal fails and so does the look for what it left, the log has both reasons', async () => {
  const { log, messages, errors } = listeningLog();
  const removals = startRemovals({
    invalidations: open.invalidations,
    removals: { closed: () => Promise.reject(new Error('no accounts')) },
    log,
    finishRemovals: () => Promise.reject(new Error('no bouncer')),
  });

  await waitFor('it has failed', () => messages.includes('a removed account could not be cleared away; trying again'));
  await removals.close();

  expect(errors).toContain('no bouncer; no accounts');
});

test('a bouncer that hangs does not hold up the end of the program, however many people were removed', async () => {
  for (const login of ['ben', 'bob', 'eve']) await open.store.removals.close(await open.account(login));
  let asked = 0;
  bouncer.removeUser = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const upkeep = startBoth();
  await waitFor('the bouncer is asked', () => asked > 0);

  await upkeep.close();

  expect(asked).toBe(1);
  expect(await open.store.removals.closed()).toHaveLength(3);
});

test('a person whom the bouncer refuses to remove does not hold up the others', async () => {
  const [ben, bob] = [await open.account('ben'), await open.account('bob')];
  const { name } = await open.store.accounts.bouncerUser(ben);
  for (const accountId of [ben, bob]) await open.store.removals.close(accountId);
  const remove = bouncer.removeUser;
  bouncer.removeUser = async (user) => {
    if (user === name) throw new Error('refused');
    await remove(user);
  };

  await expect(services.finishRemovals(new AbortController().signal)).rejects.toThrow('refused');

  expect((await open.store.removals.closed()).map(({ accountId }) => accountId)).toEqual([ben]);
});

/** Starts the program's background work on removals. */
function startBoth(retention = open.store.retention) {
  const { log, messages } = listeningLog();
  const { invalidations, store } = open;
  const both = [
    startDeletions({ retention, invalidations, log, onRemoved: () => undefined }),
    startRemovals({
      invalidations,
      removals: store.removals,
      log,
      finishRemovals: (signal) => services.finishRemovals(signal),
    }),
  ];
  return {
    messages,
    close: async () => {
      await Promise.all(both.map((each) => each.close()));
    },
  };
}
