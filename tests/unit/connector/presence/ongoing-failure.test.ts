import pino, { type Logger } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BouncerUser } from '../../../../src/connector/ports/bouncer.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import { Attaches } from '../../../../src/connector/presence/attaches.ts';
import { Keeper } from '../../../../src/connector/presence/keeper.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { OngoingFailure } from '../../../../src/connector/presence/ongoing-failure.ts';
import { Reattach } from '../../../../src/connector/presence/reattach.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { World } from '../../../harness/interleavings/world.ts';
import { openStore } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** A little more than three hours, in milliseconds: the beginning and the end of each hour are logged. */
const LONG_MS = 3.1 * HOUR_MS;
const LINES_OF_LONG = 4;

let time: VirtualTime;
let logged: LogLine[];
let log: Logger;

beforeEach(() => {
  time = new VirtualTime();
  logged = [];
  log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
});

afterEach(() => time[Symbol.dispose]());

const countOf = (word: string): number[] => logged.filter(({ msg }) => msg.includes(word)).map(({ count }) => count);

test('a reason is logged when it comes, then once an hour with its count, and anew after a success', async () => {
  const told: [string, number][] = [];
  const failure = new OngoingFailure();
  const fails = (reason: string): void => failure.failed(reason, (count) => void told.push([reason, count]));
  const passes = (ms: number) => time.pass(time.sleep(ms));

  for (let n = 0; n < 10; n += 1) {
    fails('refused');
    fails('timed out');
  }
  await passes(HOUR_MS);
  fails('refused');
  failure.succeeded();
  fails('refused');

  expect(told).toEqual([
    ['refused', 1],
    ['timed out', 1],
    ['refused', 10],
    ['refused', 1],
  ]);
});

test('a failure with a new reason each time is logged within bounds', () => {
  const failure = new OngoingFailure();
  let told = 0;

  for (let n = 0; n < 1_000; n += 1) {
    failure.failed(`number ${n}`, () => {
      told += 1;
    });
  }

  expect(told).toBe(1_000);
});

test('a bouncer that can’t be reached for hours is a few lines in the log, and its next failure after a success is one', async () => {
  let [attempts, isAway] = [0, true];
  const connect = async (): Promise<boolean> => {
    attempts += 1;
    if (isAway) throw new Error('away');
    return true;
  };
  const reattach = new Reattach({ accountId: 'acc_1', log, attaches: new Attaches(), connect });

  reattach.soon(0);
  await time.pass(time.sleep(LONG_MS));
  const counts = countOf('no session with the bouncer');
  isAway = false;
  reattach.soon(0);
  await time.pass(time.sleep(1));
  reattach.succeeded();
  isAway = true;
  reattach.soon(0);
  await time.pass(time.sleep(1));
  reattach.stop();

  expect(counts).toHaveLength(LINES_OF_LONG);
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(attempts);
  expect(counts[1]).toBeGreaterThan(100);
  expect(countOf('no session with the bouncer').slice(LINES_OF_LONG)).toEqual([1]);
});

test('a bouncer that refuses to connect the network for hours is a few lines in the log', async () => {
  const user: BouncerUser = { name: 'ada', password: 'secret', network: null };
  const accounts = { find: async () => ({ nick: 'ada' }), bouncerUser: async () => user };
  let attempts = 0;
  const keeper = new Keeper({
    accountId: 'acc_1',
    context: {
      store: { accounts } as unknown as Store,
      bouncer: {
        ...obedientBouncer,
        reconnect: async () => {
          attempts += 1;
          throw new Error('the admin socket is away');
        },
      },
      clock: { now: () => 0, monotonic: () => time.now() },
      ...{ log, settings: { network: { name: 'main' } } },
    },
    session: () => ({ ...silentSession, upstream: false }),
    run: (task) => task(),
  });

  keeper.lost();
  await time.pass(time.sleep(LONG_MS));
  keeper.stop();

  expect(attempts).toBeGreaterThan(10);
  // It is tried at most every twelve minutes.
  expect([LINES_OF_LONG - 1, LINES_OF_LONG]).toContain(countOf('the command to connect did not reach').length);
});

test('a database that fails for hours is a few lines in the log', async () => {
  const mailbox = new Mailbox({ accountId: 'acc_1', log });

  mailbox.enqueue(() => Promise.reject(new Error('no database')));
  await time.pass(time.sleep(LONG_MS));
  await mailbox.close(0);

  const counts = countOf('can’t be stored');
  expect(counts).toHaveLength(LINES_OF_LONG);
  expect(counts[1]).toBeGreaterThan(500);
});

test('channels that the bouncer refuses for hours are a few lines in the log', async () => {
  await using open = await openStore();
  const live = async (): Promise<void> => {
    await using world = await World.begin(open, time, 'ada', log);
    await world.presence.goOnline();
    world.bouncer.setChannels = () => Promise.reject(new Error('refused'));
    await world.select(['#Ops']);
    await time.sleep(LONG_MS);
  };

  await time.pass(live());

  const counts = countOf('channels not set');
  expect(counts).toHaveLength(LINES_OF_LONG);
  expect(counts[1]).toBeGreaterThan(100);
});

interface LogLine {
  msg: string;
  count: number;
}
