import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startBeside } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { clockShiftedBy } from '../../harness/shifted-clock.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';

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
const test = testWithStack({ wrapBouncer: (port) => door.before(port) });

let pair: StandbyPair;

test.beforeAll(async () => {
  await drainFor(1);
  pair = await StandbyPair.start(stack);
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
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

/** Makes processes that are started from now on serve for this many seconds after the beginning of their end. */
async function drainFor(drainSeconds: number): Promise<void> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { listen: Record<string, unknown> };
  await writeFile(stack.configFile, JSON.stringify({ ...config, listen: { ...config.listen, drainSeconds } }));
}

async function storedPasswords(): Promise<string[]> {
  const database = stack.database.connect();
  try {
    return await database('accounts').pluck('bouncer_password_sealed');
  } finally {
    await database.destroy();
  }
}

/** A request of which the body never ends. */
async function slowRequest(port: number): Promise<Disposable> {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => client.destroy());
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  const head = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 1000'];
  client.write(`${[...head, `Authorization: Bearer ${pair.ada.accessToken}`].join('\r\n')}\r\n\r\n{`);
  return { [Symbol.dispose]: () => client.destroy() };
}

async function isThere(what: string, query: string): Promise<void> {
  const database = stack.database.connect();
  try {
    await waitFor(what, async () => {
      const { rows } = await database.raw(query);
      return rows.length > 0;
    });
  } finally {
    await database.destroy();
  }
}

/** Statements that store this line for this process hang. Returns what lets them go on. */
async function hang(text: string, pid: number | undefined): Promise<AsyncDisposable> {
  const database = stack.database.connect();
  await database.raw(`
    CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.text = '${text}' AND current_setting('application_name') = (
        SELECT 'homeport-connector ' || process_id FROM processes WHERE name LIKE 'process ${pid} on %'
      ) THEN PERFORM pg_sleep(19); END IF;
      RETURN NEW;
    END $$`);
  await database.raw('CREATE TRIGGER hang BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION hang()');
  return {
    [Symbol.asyncDispose]: async () => {
      await database.raw('DROP FUNCTION hang CASCADE');
      await database.destroy();
    },
  };
}

test('a process that is stopped while a statement hangs and a client does not end its request hands over in order, and in time', async () => {
  await pair.replace();
  await pair.say('before the hang');
  const passwords = await storedPasswords();
  const { process: ended } = pair.serving;
  await using _hanging = await hang('said into the hang', ended.pid);
  using _slow = await slowRequest(pair.serving.port);
  pair.bob.say('#room', 'said into the hang');
  await isThere('a statement hangs', "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
  door.watch();

  const stopped = ended.stop();
  await pair.takeOver();
  await pair.stored('said into the hang');
  await pair.say('after the hang');
  await stopped;

  expect((await ended.ended).exitCode).toBe(0);
  expect(door.fewest).toBe(1);
  // The slot was given back: a dead process would have lost its password.
  expect(await storedPasswords()).toEqual(passwords);
  expect(await pair.counts(['said into the hang', 'after the hang'])).toEqual({
    'said into the hang': { stored: 1, heard: 0 },
    'after the hang': { stored: 1, heard: 1 },
  });
});

test('a process for which only one waits whose clock is wrong does not wait for that one, and says so', async () => {
  const wrong = await startBeside(stack, {}, await clockShiftedBy(stack.folder, 120));
  await isThere('its clock is known', 'SELECT 1 FROM processes WHERE clock_ahead_ms > 100000');
  const { process: ended } = pair.serving;

  await ended.stop();

  expect(ended.output()).not.toContain('hands over');
  expect(ended.output()).toContain('these can’t take over');
  expect(door.registered).toBe(0);
  await wrong.process.stop();
  await stack.revive('connector');
  pair.serving = { ...pair.serving, port: Number(new URL(stack.baseUrl).port), process: stack.connector };
  await pair.online();
});

test('a process for which none waits ends its session at once', async () => {
  const { process: ended } = pair.serving;

  await ended.stop();

  expect(ended.output()).not.toContain('hands over');
  expect(door.registered).toBe(0);
  await stack.revive('connector');
});
