import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from './member.ts';
import type { Disturbance, Touched } from './observations.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** How long something stays broken, and for how long all is well afterwards. */
const BROKEN_LEAST_MS = 2_000;
const BROKEN_MOST_MS = 20_000;
const SHORT_LEAST_MS = 200;
const SHORT_MOST_MS = 4_000;
const WELL_LEAST_MS = 8_000;
const WELL_MOST_MS = 40_000;
/** Share of disturbances during which another one begins. */
const TWO_AT_ONCE = 0.25;

interface Kind {
  what: string;
  touches: Touched;
  /** Resolves when it is healed. Names the connector that it disturbs, if it is a single one. */
  play(stage: Stage, random: Random, names: (which: string) => void): Promise<void>;
}

const broken = (random: Random) => delay(random.between(BROKEN_LEAST_MS, BROKEN_MOST_MS));
const short = (random: Random) => delay(random.between(SHORT_LEAST_MS, SHORT_MOST_MS));

/** Share of choices that take the process that decides for the others, where it may be disturbed. */
const TAKES_HOLDER = 0.4;

/** A running connector: the one that decides for the others, or another one that acts for accounts, as the seed says. */
async function chosen(
  { members, mortal, duties }: Stage,
  random: Random,
  names: (which: string) => void,
): Promise<Member> {
  const takesHolder = random.isTrue(TAKES_HOLDER);
  const another = random.pick(mortal);
  const known = await duties();
  const holdsIt = ({ pid }: Member): boolean => pid !== undefined && pid === known?.holder;
  const fitting = mortal.filter((one) => one.pid !== undefined && holdsIt(one) === takesHolder);
  const member = fitting.find((one) => one === another) ?? fitting[0] ?? another;
  const duty = holdsIt(member) ? ', which decides for the others' : '';
  const slots = known && `, with ${known.accountSlots.get(member.pid ?? 0) ?? 0} account slots`;
  names(`connector ${members.indexOf(member)}${duty}${slots ?? ''}`);
  return member;
}

async function frozen(process: { kill(signal: NodeJS.Signals): void }, pause: Promise<void>): Promise<void> {
  process.kill('SIGSTOP');
  await pause;
  process.kill('SIGCONT');
}

const KINDS: readonly Kind[] = [
  {
    what: 'connector killed',
    touches: 'connector',
    play: async (stage, random, names) => {
      const member = await chosen(stage, random, names);
      await member.kill();
      await short(random);
      await member.serves();
    },
  },
  {
    what: 'connector frozen',
    touches: 'connector',
    play: async (stage, random, names) => {
      const member = await chosen(stage, random, names);
      await frozen({ kill: (signal) => member.signal(signal) }, broken(random));
      // One that has lost the slot ends itself.
      await short(random);
      await member.serves();
    },
  },
  {
    what: 'connector restarted',
    touches: 'connector',
    play: async (stage, random, names) => {
      const member = await chosen(stage, random, names);
      await member.stop();
      await short(random);
      await member.serves();
    },
  },
  {
    what: 'bouncer killed',
    touches: 'bouncer',
    play: async ({ stack }, random) => {
      await stack.kill('soju');
      await short(random);
      await stack.revive('soju');
    },
  },
  {
    what: 'bouncer frozen',
    touches: 'bouncer',
    play: ({ stack }, random) => frozen(stack.soju.process, broken(random)),
  },
  {
    what: 'connections to the bouncer cut',
    touches: 'connector',
    play: async ({ toBouncer }) => toBouncer.reset(),
  },
  {
    what: 'network killed',
    touches: 'network',
    play: ({ restartNetwork }, random) => restartNetwork(() => short(random)),
  },
  {
    what: 'network frozen',
    touches: 'network',
    play: ({ network }, random) => frozen(network().process, broken(random)),
  },
  {
    what: 'connections to the network cut',
    touches: 'network',
    play: async ({ toNetwork }) => toNetwork.reset(),
  },
  {
    what: 'database restarted',
    touches: 'database',
    play: ({ restartDatabase }, random) => restartDatabase('stop', () => short(random)),
  },
  {
    what: 'database crashed',
    touches: 'database',
    play: ({ restartDatabase }, random) => restartDatabase('crash', () => short(random)),
  },
  {
    what: 'database hung',
    touches: 'database',
    play: async ({ members }, random) => {
      for (const { database } of members) database.cut();
      await broken(random);
      for (const { database } of members) database.mend();
    },
  },
  {
    what: 'one process cut off from the database',
    touches: 'database',
    play: async (stage, random, names) => {
      const member = await chosen(stage, random, names);
      member.database.cut();
      await broken(random);
      member.database.mend();
    },
  },
  {
    what: 'connections of clients cut',
    touches: 'clients',
    play: async ({ balancer }) => balancer.cut(),
  },
];

const FAIL_OVER: Kind = {
  what: 'database server died, and its replica was promoted',
  touches: 'database',
  play: async (stage) => {
    await stage.failOver();
    for (const member of stage.members) await member.serves();
  },
};

/** Disturbs nothing but the database's server, whose replica is promoted in the middle of the time. */
export async function failOverBefore(end: number, scene: Scene): Promise<Disturbance[]> {
  await delay((end - Date.now()) / 2);
  const played = await playOf(FAIL_OVER, scene);
  await delay(Math.max(0, end - Date.now()));
  return [played];
}

/** Disturbs one or two things, heals them, lets all be well for a while, and goes on so until the time. */
export async function disturbUntil(end: number, scene: Scene): Promise<Disturbance[]> {
  const { stage, random } = scene;
  const played: Disturbance[] = [];
  while (Date.now() < end) {
    const first = random.pick(KINDS);
    // Two of one part would undo each other.
    const others = KINDS.filter(({ touches }) => touches !== first.touches);
    const kinds = random.isTrue(TWO_AT_ONCE) ? [first, random.pick(others)] : [first];
    played.push(...(await Promise.all(kinds.map((kind) => playOf(kind, scene)))));
    for (const member of stage.members) await member.serves();
    await delay(random.between(WELL_LEAST_MS, WELL_MOST_MS));
  }
  return played;
}

interface Scene {
  stage: Stage;
  random: Random;
  notice: (text: string) => void;
}

async function playOf({ what, touches, play }: Kind, { stage, random, notice }: Scene): Promise<Disturbance> {
  const from = Date.now();
  let which: string | undefined;
  await play(stage, random, (name) => {
    which = name;
  });
  const to = Date.now();
  notice(`${what}${which === undefined ? '' : ` (${which})`}, ${((to - from) / 1_000).toFixed(1)} s`);
  return { what, which, touches, from, to };
}
