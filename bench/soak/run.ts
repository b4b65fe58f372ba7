import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../tests/harness/agent.ts';
import { subscriberOf } from '../../tests/harness/subscriber.ts';
import type { WebhookReceiver } from '../../tests/harness/webhook-receiver.ts';
import { SoakAgent } from './agent.ts';
import { BusyWatch } from './busy.ts';
import { check } from './checks/index.ts';
import { checkMemory } from './checks/memory.ts';
import { violation } from './checks/violation.ts';
import { disturbUntil, failOverBefore } from './disturbances.ts';
import { keptByBouncer } from './kept.ts';
import { MemoryWatch } from './memory.ts';
import type {
  AccountSeen,
  Disturbance,
  FailedCall,
  HeardLine,
  Movement,
  Observations,
  Violation,
} from './observations.ts';
import { channelOf, channelsOf, loginOf, type Parameters } from './parameters.ts';
import { Person } from './people.ts';
import { Random } from './random.ts';
import { startEvents } from './receiver.ts';
import { type Outcome, outcomeOf } from './report.ts';
import { type Stage, startStage } from './stage.ts';
import { Tokens } from './tokens.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SPEAKERS = 3;
const COME_AT_ONCE = 4;
/** Share of lines that mention an account of their channel. */
const MENTIONS = 0.1;
const CONNECTED_DEADLINE_MS = 120_000;
/** At the end, what may still come is waited for so many times. */
const LOOKS = 24;
const LOOK_MS = 2_500;

interface Notes {
  heard: HeardLine[];
  said: Set<string>;
  movements: Movement[];
  failures: FailedCall[];
}

/** Plays one run, and compares at its end what was seen. */
export async function run(parameters: Parameters, notice: (text: string) => void): Promise<Outcome> {
  await using parts = new AsyncDisposableStack();
  const notes: Notes = { heard: [], said: new Set(), movements: [], failures: [] };
  const stage = parts.use(await startStage(parameters));
  notice(`three processes serve at ${stage.stack.baseUrl}`);
  // Sessions begin when the first agent is let in, and may be lost from then on.
  await using busy = new BusyWatch(() => [process.pid, ...stage.members.map(({ pid }) => pid)]);
  const { receiver, events } = await startEvents(new Random(parameters.seed, 'receiver'));
  parts.use(receiver);
  const agents = await inTurn(
    Array.from({ length: parameters.accounts }, (_, number) => number),
    (number) => comeIn(number, parameters, { stage, receiver, notes, notice }),
  );
  for (const { agent } of agents) parts.defer(() => agent.close());
  await allConnected(agents.map(({ agent }) => agent));
  notice('all accounts are connected');
  const people = peopleOf(parameters, stage, notes);
  for (const person of people) parts.use(person);
  await waitFor('people are in their channels', () => people.every(({ isThere }) => isThere));
  await using memory = new MemoryWatch(() => [
    ...stage.members.map(({ pid, inspectPort }, number) => ({ name: `connector ${number}`, pid, inspectPort })),
    { name: 'soju', pid: stage.stack.soju.process.pid },
    { name: 'ergo', pid: stage.network().process.pid },
  ]);
  const beganAt = Date.now();
  const disturbances = await traffic(parameters, {
    stage,
    people,
    agents: agents.map(({ agent }) => agent),
    notes,
    notice,
  });
  const quietSince = Date.now();
  notice('all is healed, and nobody says anything more');
  await allConnected(agents.map(({ agent }) => agent));
  if (parameters.logs !== undefined) {
    for (const file of ['soju.db', 'soju.db-wal']) {
      await copyFile(join(stage.stack.folder, 'soju', file), join(parameters.logs, file));
    }
  }
  const look = async (): Promise<Observations> => {
    const kept = keptByBouncer(join(stage.stack.folder, 'soju', 'soju.db'));
    const accounts: AccountSeen[] = [];
    for (const { agent, subscribedAt } of agents) {
      const { name, shown, acknowledged, positions, sends, connectedAt } = agent;
      const history = await agent.history();
      accounts.push({
        ...{ name, kept: kept.get(name) ?? [], history, shown, acknowledged, positions, counted: [], sends },
        ...{ connectedAt, subscribedAt },
      });
    }
    return {
      accounts,
      ...notes,
      sessions: stage.toBouncer.sessions,
      events,
      disturbances: [...disturbances, ...busy.times()],
    };
  };
  const seen = await settled(
    agents.map(({ agent }) => agent),
    look,
    quietSince,
  );
  const growths = memory.growths();
  return outcomeOf(
    {
      seen,
      quietSince,
      violations: [...check(seen, quietSince), ...checkMemory(growths), ...wrongSignatures(receiver)],
    },
    { parameters, beganAt, agents: agents.map(({ agent }) => agent), growths },
  );
}

function wrongSignatures(receiver: WebhookReceiver): Violation[] {
  try {
    receiver.events();
    return [];
  } catch (error) {
    return [violation('wrong signature', String(error))];
  }
}

/** A few at the same time, as people come. */
async function inTurn<T, R>(values: readonly T[], make: (value: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (let begun = 0; begun < values.length; begun += COME_AT_ONCE) {
    made.push(...(await Promise.all(values.slice(begun, begun + COME_AT_ONCE).map(make))));
  }
  return made;
}

interface Scene {
  stage: Stage;
  receiver: { url: string };
  notes: Notes;
  notice: (text: string) => void;
}

/** A person lets an agent in, which subscribes to mentions. */
async function comeIn(number: number, parameters: Parameters, { stage, receiver, notes, notice }: Scene) {
  const name = loginOf(number);
  const { stack } = stage;
  // People come again when their first attempt failed.
  const connected = await waitFor(`${name} lets an agent in`, () =>
    connectAgent(stack, name).catch((error: unknown) => {
      notice(`${name} could not let an agent in: ${String(error)}`);
      throw error;
    }),
  );
  // Processes without the slot refuse to call receivers.
  const asks = stage.members.map(({ port }) => subscriberOf({ baseUrl: `http://127.0.0.1:${port}` }, connected));
  await waitFor('mentions are subscribed to', () =>
    Promise.any(asks.map(({ subscribed }) => subscribed({ url: `${receiver.url}/${name}` }))),
  );
  const agent = new SoakAgent({
    ...{ name, channels: channelsOf(number, parameters), baseUrl: stack.baseUrl, failures: notes.failures },
    ...{ tokens: tokensOf(connected, stack.baseUrl), random: new Random(parameters.seed, name) },
  });
  return { agent, subscribedAt: Date.now() };
}

function tokensOf({ credentials: { client, stored } }: Agent, baseUrl: string): Tokens {
  if (client === undefined || stored === undefined) throw new Error('expected an agent that has connected');
  return new Tokens({ baseUrl, clientId: client.client_id, issued: stored, now: () => performance.now() });
}

async function allConnected(agents: readonly SoakAgent[]): Promise<void> {
  for (const agent of agents) {
    await waitFor(`${agent.name} is connected and in its channels`, () => agent.isConnected(), {
      timeoutMs: CONNECTED_DEADLINE_MS,
    });
  }
}

function peopleOf({ channels }: Parameters, stage: Stage, { heard, movements }: Notes): Person[] {
  const common = { server: stage.network, channels: Array.from({ length: channels }, (_, n) => channelOf(n)), heard };
  const listener = new Person({ ...common, nick: 'listener', movements });
  return [listener, ...Array.from({ length: SPEAKERS }, (_, n) => new Person({ ...common, nick: `speaker${n}` }))];
}

interface Play {
  stage: Stage;
  people: readonly Person[];
  agents: readonly SoakAgent[];
  notes: Notes;
  notice: (text: string) => void;
}

/** Everybody speaks and acts while things are disturbed. */
async function traffic(parameters: Parameters, { stage, people, agents, notes, notice }: Play): Promise<Disturbance[]> {
  const ends = new AbortController();
  const work = [
    ...agents.map((agent) => agent.run(ends.signal)),
    speak(parameters, people.slice(1), notes.said, ends.signal),
  ];
  const end = Date.now() + parameters.minutes * MINUTE_MS;
  const scene = { stage, random: new Random(parameters.seed, 'disturbances'), notice };
  const disturbances = await (parameters.replica === 'none' ? disturbUntil : failOverBefore)(end, scene);
  ends.abort();
  await Promise.all(work);
  return disturbances;
}

async function speak(
  parameters: Parameters,
  speakers: readonly Person[],
  said: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const random = new Random(parameters.seed, 'people');
  for (let line = 0; !signal.aborted; line += 1) {
    const channel = Math.floor(random.between(0, parameters.channels));
    const member = loginOf(
      (channel * parameters.members + Math.floor(random.between(0, parameters.members))) % parameters.accounts,
    );
    const text = random.isTrue(MENTIONS) ? `line ${line}, ${member}: look` : `line ${line} of the run`;
    if (random.pick(speakers).say(channelOf(channel), text)) said.add(text);
    await delay(SECOND_MS / parameters.lines, undefined, { signal }).catch(() => undefined);
  }
}

/** Looks again until nothing is missing any more, or until it is clear that it does not come. */
async function settled(
  agents: readonly SoakAgent[],
  look: () => Promise<Observations>,
  quietSince: number,
): Promise<Observations> {
  for (let looks = 1; ; looks += 1) {
    const open = await Promise.all(agents.map((agent) => agent.settle()));
    const seen = await look();
    const isAllThere = open.every((count) => count === 0) && lateOnes(seen, quietSince).length === 0;
    if (isAllThere || looks >= LOOKS) {
      const counted = await Promise.all(agents.map((agent) => agent.drain()));
      const last = await look();
      return { ...last, accounts: last.accounts.map((account, n) => ({ ...account, counted: counted[n] ?? [] })) };
    }
    await delay(LOOK_MS);
  }
}

const lateOnes = (seen: Observations, quietSince: number) =>
  check(seen, quietSince).filter(({ kind }) => ['line lost', 'mention not delivered', 'send undecided'].includes(kind));
