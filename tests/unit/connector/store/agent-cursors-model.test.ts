import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';

const RUNS = 25;
const STEPS_MAX = 25;

const everything = <T>(entries: readonly T[]): readonly T[] => entries;

/** The lines that were said in a channel; `say` adds one. */
class Channel {
  readonly said: string[] = [];
  readonly entryIds: string[] = [];
  readonly accountId: string;
  readonly #open: OpenStore;

  constructor(open: OpenStore, accountId: string) {
    this.#open = open;
    this.accountId = accountId;
  }

  async say(): Promise<void> {
    const line = capturedLine(`line ${this.said.length}`, this.said.length);
    const batch = { lines: [{ line, own: undefined }], isReplay: false, synced: new Set<string>() };
    const { entries } = await this.#open.store.capture.ingest(this.accountId, 'main', batch);
    this.said.push(line.text);
    this.entryIds.push(entries[0]?.entryId ?? '');
  }
}

/** A session beside what it must see: everything said until it acknowledges it, and no more than was delivered. */
class Session {
  readonly #open: OpenStore;
  readonly #channel: Channel;
  readonly #id: string;
  #acknowledged = 0;
  #delivered = 0;

  constructor(open: OpenStore, channel: Channel, id: string) {
    this.#open = open;
    this.#channel = channel;
    this.#id = id;
  }

  get #reader() {
    return { accountId: this.#channel.accountId, clientId: 'client', sessionId: this.#id };
  }

  async read(limit: number): Promise<void> {
    const end = this.#delivered > this.#acknowledged ? this.#delivered : this.#channel.said.length;
    const expected = this.#channel.said.slice(this.#acknowledged, end).slice(0, limit);
    this.#delivered = Math.max(this.#delivered, this.#acknowledged + expected.length);

    const batch = await this.#open.store.agentCursors.nextBatch(this.#reader, '#room', { limit, cut: everything });

    expect(batch.entries.map(({ text }) => text)).toEqual(expected);
  }

  /** Acknowledges the line of this number, where it was said. */
  async acknowledge(number: number): Promise<void> {
    const entryId = this.#channel.entryIds[number];
    if (entryId === undefined) return;
    const isDelivered = number < this.#delivered;
    if (isDelivered) this.#acknowledged = Math.max(this.#acknowledged, number + 1);

    expect(await this.#open.store.agentCursors.acknowledge(this.#reader, '#room', entryId)).toBe(isDelivered);
  }

  async count(): Promise<void> {
    const positions = await this.#open.store.agentCursors.positions(this.#reader, ['#room']);

    expect(positions.get('#room')?.unreadCount).toBe(this.#channel.said.length - this.#acknowledged);
  }
}

test('each session gets each line until it acknowledges it, with messages, reads and acknowledgements in any order', async () => {
  await using open = await openStore();
  let runs = 0;
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom('say', 'say', 'read', 'acknowledge'),
    who: fc.nat(1),
    number: fc.nat(5),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX }), async (steps) => {
      runs += 1;
      const channel = new Channel(open, await open.account(`person${runs}`));
      const session = async () =>
        new Session(open, channel, await open.store.agentSessions.create(channel.accountId, 'client'));
      const [one, two] = [await session(), await session()];
      for (const each of steps) await take(each, channel, each.who === 0 ? one : two);
    }),
    { numRuns: RUNS },
  );
});

async function take({ what, number }: Step, channel: Channel, session: Session): Promise<void> {
  if (what === 'say') await channel.say();
  else if (what === 'read') await session.read(number + 1);
  else await session.acknowledge(number);
  await session.count();
}

interface Step {
  what: 'say' | 'read' | 'acknowledge';
  who: number;
  number: number;
}
