import { BOTH, type World } from './world.ts';

const HOUR_MS = 60 * 60 * 1_000;
const MISSED_LINES = 3;
/** Password that the network accepts for each account. */
const RIGHT = 'right';

/** Work of a program for an account. */
export interface Scenario {
  prepare(world: World): Promise<void>;
  run(world: World): Promise<unknown>;
}

export const SCENARIOS = {
  'going online': {
    prepare: async (world) => {
      world.bouncer.onAttached = () => world.bouncer.hear('#room', 'heard at once');
    },
    run: (world) => world.asked.goOnline(),
  },
  'catching up': {
    prepare: async (world) => {
      await world.asked.goOnline();
      world.bouncer.hear('#room', 'known');
      world.bouncer.hear('#Ops', 'known there');
      await world.quiet();
      await world.program.presences.close();
      // Long enough ago for a gap, where one is wrongly thought to be.
      world.skip(HOUR_MS);
      for (let n = 0; n < MISSED_LINES; n += 1) world.bouncer.hear('#room', `missed ${n}`);
      world.bouncer.hear('#Ops', 'missed there');
      world.skip(HOUR_MS);
      world.bouncer.onAttached = () => world.bouncer.hear('#room', 'heard at once');
    },
    run: async (world) => {
      await world.restart();
      await world.time.until('all is stored', async () => world.isOver || world.isStored('heard at once'));
    },
  },
  sending: {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: async (world) => {
      const orders = [
        ['#room', 'one', undefined],
        ['#Ops', 'two', 'key of two'],
        ['#room', 'three', 'key of three'],
      ] as const;
      await Promise.all(orders.map(([channel, text, key]) => world.send(channel, text, key)));
      const isDone = async () => (await world.messages()).every(({ status }) => status === 'echoed');
      await world.time.until('all came back', async () => world.isOver || isDone());
      // This line was said already, so only its status is returned.
      if (!world.isOver) await world.send('#room', 'three', 'key of three');
    },
  },
  'sending again what failed': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
      await world.failed('#room', 'refused', 'key');
    },
    run: async (world) => {
      await Promise.all([world.send('#room', 'refused', 'key'), world.send('#room', 'refused', 'key')]);
      const isDone = async () => (await world.messages()).every(({ status }) => status === 'echoed');
      await world.time.until('it came back', async () => world.isOver || isDone());
    },
  },
  'the return of the network': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: async (world) => {
      world.bouncer.loseNetwork();
      await Promise.all([world.send('#room', 'one', undefined), world.send('#Ops', 'two', undefined)]);
      const isDone = async () => (await world.messages()).every(({ status }) => status === 'echoed');
      await world.time.until('all came back', async () => world.isOver || isDone());
    },
  },
  'a change of nick': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: async (world) => {
      await Promise.all([world.rename(), world.send('#room', 'one', undefined), world.rename()]);
      await world.rename();
    },
  },
  'moves between networks': {
    prepare: async (world) => {
      await world.asked.goOnline();
      world.bouncer.hear('#room', 'heard before');
      await world.quiet();
    },
    run: async (world) => {
      await world.asked.chooseNetwork('other');
      await world.asked.chooseNetwork('main');
      await world.asked.chooseNetwork('other');
    },
  },
  'a change of channels': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: async (world) => {
      await Promise.all([world.select(['#Ops']), world.send('#room', 'one', undefined), world.select(['#room'])]);
      await world.select(BOTH);
    },
  },
  'logging in': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: (world) => world.logIn('ada-there', RIGHT),
  },
  'logging in with a wrong password': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: (world) => world.logIn('ada-there', 'wrong'),
  },
  'logging in with another account': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.logIn('ada-there', RIGHT);
      await world.quiet();
    },
    run: (world) => world.logIn('ada-too', RIGHT),
  },
  'logging in while the network connects': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
      world.bouncer.loseNetwork();
    },
    run: (world) => Promise.all([world.asked.goOnline(), world.logIn('ada-there', RIGHT)]),
  },
  'forgetting a login': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.logIn('ada-there', RIGHT);
      await world.quiet();
    },
    run: (world) => world.forgetLogin(),
  },
  'forgetting a login before its answer': {
    prepare: async (world) => {
      await world.asked.goOnline();
      await world.quiet();
    },
    run: async (world) => {
      await world.enterLogin('ada-there', RIGHT);
      await Promise.all([world.asked.logIn(), world.forgetLogin()]);
    },
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
