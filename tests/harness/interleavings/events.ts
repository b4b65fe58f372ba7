import type { Door } from '../doors.ts';
import type { World } from './world.ts';

/** Milliseconds for which a database is away. */
const AWAY_MS = 300;

/** Events that may happen at a door. */
export const EVENTS = {
  'the socket breaks': async ({ bouncer }: World) => bouncer.breakSockets(),
  'the program ends': async (world: World) => {
    world.closing = world.program.presences.close();
  },
  'the program is killed': async (world: World) => world.kill(),
  'the account goes offline': async (world: World) => world.alongside(world.asked.goOffline()),
  'a channel is disabled': async (world: World) => {
    const changed = world.select(['#Ops']).then(() => {
      world.saidAtChange = world.bouncer.said.length;
    });
    world.alongside(changed);
  },
  'the call fails': async ({ bouncer }: World, { call }: Door) => {
    // The bouncer ends a session whose beginning failed.
    if (call === 'bouncer.attach') bouncer.forgetSessions();
    throw new Error('it fails');
  },
  'the database goes away': async (world: World) => {
    world.isDatabaseAway = true;
    const back = world.time.sleep(AWAY_MS).then(() => {
      world.isDatabaseAway = false;
    });
    world.alongside(back);
  },
  'the account passes to another process': async (world: World) => {
    world.passing = world.passOn();
    world.passing.catch(() => undefined);
  },
  'the account passes on and comes back': async (world: World) => {
    world.passing = world.passOnAndBack();
    world.passing.catch(() => undefined);
  },
  'another process takes the database': async (world: World) => world.loseHold(),
} as const;

export type EventName = keyof typeof EVENTS;

/** Only where several processes can share a database, and of each database only with one account at a time. */
export const TAKEOVER: EventName = 'another process takes the database';

/** Only where several processes share the accounts. */
export const PASSES: readonly EventName[] = [
  'the account passes to another process',
  'the account passes on and comes back',
];
