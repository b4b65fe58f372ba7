import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { createOutbound, type Outbound } from '../../../src/connector/outbound/outbound.ts';
import type { Store } from '../../../src/connector/ports/store.ts';
import { createInvalidations } from '../../../src/connector/store/shared-invalidations.ts';
import { startDeliveries } from '../../../src/connector/upkeep/delivering.ts';
import type { Repeated } from '../../../src/connector/upkeep/repeat.ts';
import { createCallbacks } from '../../../src/connector/webhooks/signed-callbacks.ts';
import { type Door, wayTo, withDoors } from '../../harness/doors.ts';
import { open, testWithStore } from '../../harness/fixtures/open-store.ts';
import { receiver, receiving } from '../../harness/fixtures/receiver.ts';
import { watchTrespasses } from '../../harness/interleavings/trespasses.ts';
import { heard, subscribed, textIn } from '../../harness/mentions.ts';
import { RECEIVER_SECRET } from '../../harness/webhook-receiver.ts';

const TEXTS = ['ada: one', 'ada: two', 'ada: three'];
const LOSER = 'first';

const test = testWithStore().extend('receiver', { scope: 'file', auto: true }, receiving);

let trespasses: () => Promise<string[]>;
let accounts = 0;

test.beforeAll(async () => {
  trespasses = await watchTrespasses(open.database);
});

/** The delivery work of one process. While the process is not trusted, it can't reach the database or a receiver. */
class Program {
  readonly #name: string;
  readonly worker: Repeated;
  isTrusted = true;

  constructor(name: string, store: Store, knock: (door: Door) => Promise<void> = async () => undefined) {
    this.#name = name;
    const { clock } = open;
    const refused = async ({ side }: Door): Promise<void> => {
      if (side === 'before' && !this.isTrusted) throw new Error('the claim on the database is in doubt');
    };
    const knockAndAsk = async (door: Door): Promise<void> => {
      await knock(door);
      await refused(door);
    };
    const during = <T>(work: Promise<T>): Promise<T> => work;
    this.worker = startDeliveries({
      deliveries: withDoors(store.deliveries, 'deliveries', { knock: knockAndAsk, during }),
      callbacks: createCallbacks({ outbound: this.#outbound(), clock }),
      ...{ invalidations: createInvalidations(), clock, log: pino({ level: 'silent' }) },
    });
  }

  /** Makes an outbound whose requests name their process in a header. */
  #outbound(): Outbound {
    const real = createOutbound({ allowHosts: ['127.0.0.1'], mayAct: () => this.isTrusted });
    return {
      ...real,
      send: (request) => {
        const headers = { ...request.headers, 'x-process': this.#name, 'x-trusted': String(this.isTrusted) };
        return real.send({ ...request, headers });
      },
    };
  }
}

const waitingOf = ({ accountId }: Told) => open.database('deliveries').where('account_id', accountId);

const settled = (told: Told): Promise<unknown> =>
  waitFor('all is delivered and settled', async () => (await waitingOf(told)).length === 0);

test('when another process takes the database at any await of a delivery, it delivers the rest, and the one that lost it sends and stores nothing more', async () => {
  const moments = await momentsOfDelivery();
  let happened = 0;
  for (const moment of moments) if (await losesAt(moment)) happened += 1;

  expect(moments.length).toBeGreaterThan(10);
  expect(happened).toBeGreaterThan(moments.length / 2);
  expect(await trespasses()).toEqual([]);
});

/** A person for whose agent three mentions wait. */
async function mentioned(): Promise<Told> {
  accounts += 1;
  const path = `/person${accounts}`;
  const accountId = await open.account(`person${accounts}`);
  await subscribed(open, accountId, { url: `http://127.0.0.1:${receiver.port}${path}`, secret: RECEIVER_SECRET });
  await heard(
    open,
    accountId,
    TEXTS.map((text) => text.replace('ada', `person${accounts}`)),
  );
  return { accountId, path };
}

/** Calls `at` with each door and how often it was passed before. */
function counting(at: (moment: Moment) => Promise<void>): (door: Door) => Promise<void> {
  const visits = new Map<string, number>();
  return async (door) => {
    const { call, side } = door;
    const way = wayTo(door);
    const key = `${call} ${side} ${way}`;
    const visit = visits.get(key) ?? 0;
    visits.set(key, visit + 1);
    await at({ call, side, way, visit });
  };
}

async function momentsOfDelivery(): Promise<Moment[]> {
  const moments: Moment[] = [];
  const told = await mentioned();
  const program = new Program(
    LOSER,
    open.anew(open.clock),
    counting(async (moment) => void moments.push(moment)),
  );
  await settled(told);
  await program.worker.close();
  return moments;
}

/** At this moment another process takes the database, and goes on. @returns whether the moment came */
async function losesAt(moment: Moment): Promise<boolean> {
  const told = await mentioned();
  let next: { program: Program; end: () => Promise<void> } | undefined;
  const loser = new Program(
    LOSER,
    open.anew(open.clock),
    counting(async (one) => {
      if (next !== undefined || JSON.stringify(one) !== JSON.stringify(moment)) return;
      loser.isTrusted = false;
      const taken = await open.takenOver();
      const store = taken.anew(open.clock);
      await store.deliveries.releaseAllBut([]);
      next = { program: new Program('second', store), end: async () => taken[Symbol.asyncDispose]() };
    }),
  );
  // A moment of this run's order that never comes leaves all to the first process.
  await settled(told);
  // The loser gets time for what it might still do.
  await delay(100);
  await loser.worker.close();
  await next?.program.worker.close();
  await next?.end();
  const requests = receiver.requests.filter(({ path }) => path === told.path);
  const at = `${moment.side} ${moment.call}, visit ${moment.visit + 1}`;
  const late = requests.filter(({ headers }) => headers['x-process'] === LOSER && headers['x-trusted'] === 'false');
  expect([at, late.map(({ body }) => textIn(body))]).toEqual([at, []]);
  const texts = requests.map(({ body }) => textIn(body).replace(/^\w+/, 'ada'));
  expect([at, [...new Set(texts)].toSorted()]).toEqual([at, TEXTS.toSorted()]);
  const ids = requests.map(({ headers }) => headers['webhook-id']);
  expect([at, new Set(ids).size]).toEqual([at, TEXTS.length]);
  return next !== undefined;
}

interface Told {
  accountId: string;
  path: string;
}

interface Moment {
  call: string;
  side: Door['side'];
  way: string;
  visit: number;
}
