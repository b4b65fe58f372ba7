import { expect, test } from 'vitest';
import { ConnectionTurns } from '../../../../src/connector/store/connect/connection-turns.ts';

const LONG_MS = 60_000;

/** Askers in the order in which they get connections, and their ends. */
class Played {
  readonly order: string[] = [];
  readonly ends: (() => void)[] = [];
  readonly #turns: ConnectionTurns;

  constructor(connections: number) {
    this.#turns = new ConnectionTurns(connections);
  }

  async ask(...askers: string[]): Promise<void> {
    for (const asker of askers) {
      void this.#turns.take(asker, LONG_MS).then((end) => {
        this.order.push(asker);
        this.ends.push(end);
      });
    }
    await this.#settled();
  }

  async end(): Promise<void> {
    this.ends.shift()?.();
    await this.#settled();
  }

  /** All that may happen now has happened. */
  async #settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('one asker has half of the connections at most, and others get the rest at once', async () => {
  const played = new Played(8);
  await played.ask(...Array.from({ length: 100 }, () => 'eve'), 'ada', 'kim');
  expect(played.order).toEqual(['eve', 'eve', 'eve', 'eve', 'ada', 'kim']);
});

test('a connection that becomes free goes to the asker that has fewest, not to the one that has waited longest', async () => {
  const played = new Played(4);
  await played.ask('eve', 'eve', 'eve', 'eve', 'kim', 'kim', 'kim', 'ada');
  expect(played.order).toEqual(['eve', 'eve', 'kim', 'kim']);
  await played.end();
  expect(played.order.slice(4)).toEqual(['ada']);
});

test('askers take turns where there is one connection, and those of one come in order', async () => {
  const played = new Played(1);
  await played.ask('eve', 'eve', 'eve', 'ada', 'ada');
  for (let n = 0; n < 5; n += 1) await played.end();
  expect(played.order).toEqual(['eve', 'eve', 'ada', 'eve', 'ada']);
});

test('one asker alone gets two connections of two', async () => {
  const played = new Played(2);
  await played.ask('eve', 'eve', 'eve');
  expect(played.order).toEqual(['eve', 'eve']);
});

test('a wait that is over leaves its place to others, and a turn ends once', async () => {
  const turns = new ConnectionTurns(1);
  const end = await turns.take('eve', LONG_MS);
  await expect(turns.take('ada', 1)).rejects.toThrow('no connection was free in time');
  const [kim, max] = [turns.take('kim', LONG_MS), turns.take('max', LONG_MS)];
  end();
  end();
  const ended = await kim;
  let isFirst = true;
  void max.then(() => {
    isFirst = false;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFirst).toBe(true);
  ended();
  await max;
});
