import { expect } from 'vitest';
import { startExpiry } from '../../../../src/connector/upkeep/expiry.ts';
import { prune, startRetention } from '../../../../src/connector/upkeep/pruning.ts';
import { steadiness } from '../../../../src/connector/upkeep/steadiness.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { heard, subscribed } from '../../../harness/mentions.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;
const unaborted = new AbortController().signal;

const test = testWithNewStore();

let accountId: string;

test.beforeEach(async () => {
  accountId = await open.account('ada');
  await subscribed(open, accountId);
  await heard(open, accountId, ['one', 'two']);
});

const countOf = async (table: string): Promise<number> => (await open.database(table)).length;
const keep = () => ({ days: 90, entriesPerAccount: 1_000 });
const pass = (ms: number): void => open.clock.set(open.clock.now() + ms);

test('a clock is steady minutes after the start, and minutes after each step of it', () => {
  const isSteady = steadiness(open.clock);
  const seen = [isSteady()];
  const look = (): void => void seen.push(isSteady());
  pass(5 * MINUTE_MS);
  look();
  open.clock.step(YEAR_MS);
  look();
  pass(4 * MINUTE_MS);
  look();
  open.clock.step(-YEAR_MS);
  look();
  pass(4 * MINUTE_MS);
  look();
  pass(MINUTE_MS);
  look();
  // Time servers correct a clock that goes a little too fast like this.
  open.clock.step(-5_000);
  look();

  expect(seen).toEqual([false, true, false, false, false, false, true, true]);
});

test('a clock that is a year ahead at the start takes no history and ends no consent, as long as it is put right soon', async () => {
  open.clock.step(YEAR_MS);
  const isSteady = steadiness(open.clock);
  const { store, consents, clock } = open;
  const { log, messages } = listeningLog();
  const upkeep = [
    startRetention({ store, clock, log, keep, isSteady }),
    startExpiry({
      log,
      isSteady,
      expiring: [
        { what: 'consents', removeEnded: consents.removeEnded },
        { what: 'event subscriptions', removeEnded: store.subscriptions.removeEnded },
      ],
    }),
  ];
  for (const each of upkeep) await each.close();
  open.clock.step(-YEAR_MS);
  pass(5 * MINUTE_MS);
  isSteady();
  pass(5 * MINUTE_MS);
  await prune(accountId, { store, clock, keep, isSteady }, unaborted);

  expect(messages).toEqual([]);
  expect([await countOf('entries'), await countOf('consents'), await countOf('subscriptions')]).toEqual([2, 1, 1]);
});

test('too many entries are removed also while the clock is not steady, and old ones as soon as it is', async () => {
  const { store, clock } = open;
  const isSteady = steadiness(clock);
  await prune(accountId, { store, clock, keep: () => ({ days: 90, entriesPerAccount: 1 }), isSteady }, unaborted);
  const left = [await countOf('entries')];
  pass(91 * DAY_MS);
  await prune(accountId, { store, clock, keep, isSteady }, unaborted);
  left.push(await countOf('entries'));

  expect(left).toEqual([1, 0]);
});
