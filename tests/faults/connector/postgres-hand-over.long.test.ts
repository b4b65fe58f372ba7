import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

/** Stands before the bouncer's port and counts the sessions there that are registered. */
class Door implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#pass(client));
  #bouncerPort = 0;
  #registered = 0;
  /** The fewest sessions since `watch`. */
  fewest = 0;

  async before(bouncerPort: number): Promise<number> {
    this.#bouncerPort = bouncerPort;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    return address.port;
  }

  get registered(): number {
    return this.#registered;
  }

  watch(): void {
    this.fewest = this.#registered;
  }

  #pass(client: Socket): void {
    const bouncer = connect(this.#bouncerPort, '127.0.0.1');
    let isRegistered = false;
    for (const socket of [client, bouncer]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    bouncer.on('data', (chunk) => {
      if (!isRegistered && chunk.toString().includes(' 001 ')) {
        isRegistered = true;
        this.#registered += 1;
      }
    });
    client.on('close', () => {
      bouncer.destroy();
      if (isRegistered) this.#registered -= 1;
      this.fewest = Math.min(this.fewest, this.#registered);
    });
    bouncer.on('close', () => client.destroy());
    client.pipe(bouncer).pipe(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const door = new Door();
let stack: ConnectorStack;
let pair: StandbyPair;

beforeAll(async () => {
  stack = await startConnectorStack({ wrapBouncer: (port) => door.before(port) });
  pair = await StandbyPair.start(stack);
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await door[Symbol.asyncDispose]();
});

test('a process that is stopped keeps its session at the bouncer until the one that waited has attached, and says and stores nothing with it', async () => {
  await pair.say('before the hand-over');
  const movements = pair.movements();
  const { process: ended } = pair.serving;
  door.watch();
  expect(door.registered).toBe(1);

  const stopped = ended.stop();
  await pair.takeOver();
  pair.bob.say('#room', 'said in the hand-over');
  await pair.stored('said in the hand-over');
  await pair.say('after the hand-over');
  await stopped;

  expect((await ended.ended).exitCode).toBe(0);
  expect(ended.output()).toContain('hands over to the process that waits');
  expect([door.fewest, door.registered]).toEqual([1, 1]);
  expect(await pair.counts(['before the hand-over', 'said in the hand-over', 'after the hand-over'])).toEqual({
    'before the hand-over': { stored: 1, heard: 1 },
    'said in the hand-over': { stored: 1, heard: 0 },
    'after the hand-over': { stored: 1, heard: 1 },
  });
  expect(pair.movements()).toBe(movements);
});

test('a process for which none waits ends its session at once', async () => {
  const { process: ended } = pair.serving;

  await ended.stop();

  expect(ended.output()).not.toContain('hands over');
  expect(door.registered).toBe(0);
  await stack.revive('connector');
});
