import { type Door, wayTo } from '../doors.ts';
import { type OpenStore, openStore } from '../open-store.ts';
import { VirtualTime } from '../virtual-time.ts';
import { expectNothingLostOrDoubled, expectPassedUnnoticed, recover } from './aftermath.ts';
import { EVENTS, type EventName, PASSES, TAKEOVER } from './events.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import type { Asks } from './sharing.ts';
import { watchTrespasses } from './trespasses.ts';
import { World } from './world.ts';

/** Accounts that go through a scenario at the same time. */
const AT_ONCE = 36;
/** Each has one connection that writes, so that several databases are not waited for one after another. */
const DATABASES = 3;

export interface Interleaving {
  scenario: ScenarioName;
  event: EventName;
  /** Given if several processes share the accounts. */
  asks?: Asks | undefined;
}

/** Each event of one process in each scenario; one scenario disables and enables channels itself. */
export const INTERLEAVINGS: readonly Interleaving[] = (Object.keys(SCENARIOS) as ScenarioName[])
  .flatMap((scenario) => (Object.keys(EVENTS) as EventName[]).map((event) => ({ scenario, event })))
  .filter(({ scenario, event }) => scenario !== 'a change of channels' || event !== 'a channel is disabled')
  .filter(({ event }) => event !== TAKEOVER && !PASSES.includes(event));

/** Another process goes on in each scenario. */
export const TAKEOVERS: readonly Interleaving[] = (Object.keys(SCENARIOS) as ScenarioName[]).map((scenario) => ({
  scenario,
  event: TAKEOVER,
}));

/** The account passes to another process in each scenario, which is asked at either. */
export const PASSINGS: readonly Interleaving[] = (Object.keys(SCENARIOS) as ScenarioName[]).flatMap((scenario) =>
  PASSES.flatMap((event) =>
    (['where the account is', 'elsewhere'] as const).map((asks) => ({ scenario, event, asks })),
  ),
);

/** Its login waits while the account attaches: the first process may have tried it before the order that the next one gets. */
const WITHOUT_NETWORK: ScenarioName = 'logging in while the network connects';

/** Whether something happens at the first visit of an await only, or also at each later one. */
export type Visits = 'first' | 'all';

/** A door that a scenario goes through, identified by the way to it. */
interface Moment {
  call: string;
  side: Door['side'];
  way: string;
  /** Number of earlier passes through the same door. */
  visit: number;
}

/** What a scenario does if no event happens. */
interface Undisturbed {
  moments: Moment[];
  /** Number of times that the end of a session was stored. */
  endedCount: number;
  /** Number of logins that were offered to the network. */
  logins: number;
}

type Disturbed = Interleaving & { undisturbed: Undisturbed };

export interface Tried {
  /** Number of doors at which the event was to happen. */
  moments: number;
  /** Number of doors at which it did: after a change in the order of two lines, some door may be missing. */
  happened: number;
}

/**
 * Finds the doors of each scenario (the awaits of a program's work for an account), then plays the scenario once for
 * each door with an event there, and expects that no line is lost or doubled. It owns the virtual time and the
 * databases; each play has an account of its own.
 */
export class Interleavings implements AsyncDisposable {
  readonly #time: VirtualTime;
  readonly #databases: readonly OpenStore[];
  readonly #visits: Visits;
  /** The doors that each scenario goes through if no event happens. */
  readonly #moments = new Map<string, Promise<Undisturbed>>();
  #worlds = 0;
  /** Lists the writes of processes that did not have their database; undefined where writes are not watched. */
  #trespasses: (() => Promise<string[]>)[] | undefined;

  private constructor(databases: readonly OpenStore[], visits: Visits) {
    this.#databases = databases;
    this.#time = new VirtualTime();
    this.#visits = visits;
  }

  static async open(visits: Visits): Promise<Interleavings> {
    return new Interleavings(await Promise.all(Array.from({ length: DATABASES }, openStore)), visits);
  }

  /** @throws Error with the door at which the event does harm */
  tryOut(interleaving: Interleaving): Promise<Tried> {
    return this.#time.pass(this.#tryOut(interleaving));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#time[Symbol.dispose]();
    for (const database of this.#databases) await database[Symbol.asyncDispose]();
  }

  async #tryOut(interleaving: Interleaving): Promise<Tried> {
    const { event } = interleaving;
    const isTried = ({ side, visit }: Moment): boolean =>
      isSideOf(event, side) && (this.#visits === 'all' || visit === 0);
    const undisturbed = await this.#undisturbedOf(interleaving);
    const moments = undisturbed.moments.filter(isTried);
    const waiting = [...moments];
    let happened = 0;
    const work = async (open?: OpenStore): Promise<void> => {
      for (let moment = waiting.shift(); moment !== undefined; moment = waiting.shift()) {
        if (await this.#happensAt(moment, { ...interleaving, undisturbed }, open)) happened += 1;
      }
    };
    // A process that takes a database takes it for all its accounts.
    if (event === TAKEOVER) await this.#inTurn(work);
    else await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
    return { moments: moments.length, happened };
  }

  /**
   * Works on one account at a time in each database, which watches who writes.
   * @throws Error when a process writes that has lost its database
   */
  async #inTurn(work: (open: OpenStore) => Promise<void>): Promise<void> {
    this.#trespasses ??= await this.#time.during(
      Promise.all(this.#databases.map(({ database }) => watchTrespasses(database))),
    );
    await Promise.all(this.#databases.map(work));
    const seen = await this.#time.during(Promise.all(this.#trespasses.map((trespasses) => trespasses())));
    if (seen.flat().length > 0)
      throw new Error(`stored by a process that had lost the database: ${seen.flat().join(', ')}`);
  }

  #undisturbedOf({ scenario, asks }: Interleaving): Promise<Undisturbed> {
    const name = `${scenario} ${asks}`;
    const known = this.#moments.get(name);
    if (known !== undefined) return known;
    const moments = this.#undisturbed(scenario, asks);
    this.#moments.set(name, moments);
    return moments;
  }

  async #undisturbed(scenario: ScenarioName, asks: Asks | undefined): Promise<Undisturbed> {
    await using world = await this.#newWorld(asks);
    const moments: Moment[] = [];
    await SCENARIOS[scenario].prepare(world);
    world.watch(async (door) => {
      const { call, side } = door;
      const way = wayTo(door);
      const visit = moments.filter((earlier) => isAt(earlier, door, way)).length;
      moments.push({ call, side, way, visit });
    });
    await SCENARIOS[scenario].run(world);
    await world.quiet();
    await recover(world);
    await expectNothingLostOrDoubled(world);
    return { moments, endedCount: world.endedCount, logins: world.bouncer.logins.offered.length };
  }

  /** False when the door was never reached. */
  async #happensAt(moment: Moment, { undisturbed, ...of }: Disturbed, open?: OpenStore): Promise<boolean> {
    await using world = await this.#newWorld(of.asks, open);
    try {
      const hasHappened = await (of.asks === undefined ? play : playThrough)(world, moment, of);
      await recover(world);
      await expectNothingLostOrDoubled(world);
      if (of.asks !== undefined)
        expectPassedUnnoticed(world, { ...undisturbed, mayTryAgain: of.scenario === WITHOUT_NETWORK });
      return hasHappened;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${of.event} ${described(moment)}: ${reason}`, { cause: error });
    }
  }

  #newWorld(asks: Asks | undefined, given?: OpenStore): Promise<World> {
    this.#worlds += 1;
    const open = given ?? this.#databases[this.#worlds % this.#databases.length];
    if (open === undefined) throw new Error('no database');
    return World.begin(open, this.#time, `person${this.#worlds}`, undefined, asks);
  }
}

/** The end of one call and the beginning of the next are the same moment, except for what fails. */
function isSideOf(event: EventName, side: Door['side']): boolean {
  if (event === 'the call fails') return true;
  return side === (event === 'the database goes away' ? 'before' : 'after');
}

const isAt = (moment: Pick<Moment, 'call' | 'side' | 'way'>, { call, side }: Door, way: string): boolean =>
  moment.call === call && moment.side === side && moment.way === way;

const described = ({ call, side, way, visit }: Moment): string => `${side} ${call}, visit ${visit + 1} by ${way}`;

/** Lets the event happen at one door. Returns whether it has happened, and resolves `happened` then. */
function disturb(
  world: World,
  moment: Moment,
  event: EventName,
): { hasHappened: () => boolean; happened: Promise<void> } {
  const happened = Promise.withResolvers<void>();
  let hasHappened = false;
  let visits = 0;
  world.watch(async (door) => {
    if (door.call !== moment.call || door.side !== moment.side || !isAt(moment, door, wayTo(door))) return;
    visits += 1;
    if (visits - 1 !== moment.visit) return;
    hasHappened = true;
    happened.resolve();
    await EVENTS[event](world, door);
  });
  return { hasHappened: () => hasHappened, happened: happened.promise };
}

/** Goes through the scenario; at one door the event happens, if the door is reached. */
async function play(world: World, moment: Moment, { scenario, event }: Interleaving): Promise<boolean> {
  const { prepare, run } = SCENARIOS[scenario];
  await prepare(world);
  const { hasHappened, happened } = disturb(world, moment, event);
  const running = run(world)
    .catch(() => undefined)
    .then(() => world.quiet());
  // After some events a scenario does not come to its end.
  const left = happened.then(() => world.quiet());
  await Promise.race([running, world.killed.promise, left]);
  world.isOver = true;
  return hasHappened();
}

/** The same, of an event in spite of which each call is answered as usual. @throws Error of a call */
async function playThrough(world: World, moment: Moment, { scenario, event }: Interleaving): Promise<boolean> {
  const { prepare, run } = SCENARIOS[scenario];
  await prepare(world);
  const { hasHappened } = disturb(world, moment, event);
  await run(world);
  await world.passing;
  await world.quiet();
  world.isOver = true;
  return hasHappened();
}
