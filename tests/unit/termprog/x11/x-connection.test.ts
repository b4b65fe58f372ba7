import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DisplayUnavailableError, RequestRefusedError } from '../../../../src/termprog/errors.ts';
import { askKeysyms } from '../../../../src/termprog/x11/keyboard-mapping.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';
import { alterAnswers, type LibraryServer, startLibraryServer } from './library-server.ts';

/** Request codes; X11 protocol. */
const MAP_WINDOW = 8;
const CHANGE_PROPERTY = 18;
const NO_OPERATION = 127;

/** Event code; X11 protocol. */
const MAPPING_NOTIFY = 34;

const LONGEST_REQUEST_BYTES = 4 * 0xffff;

/** Predefined atoms. */
const STRING = 31;
const WM_NAME = 39;

test('packed requests keep their place among those of the library', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const { root } = connection.screen;

  connection.client.ChangeProperty(0, root, WM_NAME, STRING, 8, Buffer.from('a'));
  connection.sendRequests(bytesOf([...appendLetter(root, 'b'), ...appendLetter(root, 'c')]), 2);
  connection.client.ChangeProperty(2, root, WM_NAME, STRING, 8, Buffer.from('d'));

  expect(await connection.readProperty(root, WM_NAME)).toBe('abcd');
});

test('the bytes of packed requests may be used again at once, however many they are', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const { root } = connection.screen;
  const letters = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(97 + (index % 26)));
  const bytes = bytesOf(letters.flatMap((letter) => appendLetter(root, letter)));

  connection.sendRequests(bytes, letters.length);
  bytes.fill(0);

  expect(await connection.readProperty(root, WM_NAME)).toBe(letters.join(''));
});

test('answers find their requests after 200,000 packed ones without any', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const bytes = bytesOf(new Array<number>(25_000).fill(NO_OPERATION | (1 << 16)));

  for (let time = 0; time < 8; time++) connection.sendRequests(bytes, 25_000);

  expect(await connection.internAtom('WM_NAME_OF_NOBODY')).toBeGreaterThan(68);
});

test('a packed request that fails is reported, and the connection stays open', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const errors: string[] = [];
  connection.listen({ onEvent: () => {}, onError: (message) => errors.push(message), onEnd: () => {} });

  connection.sendRequests(bytesOf([MAP_WINDOW | (2 << 16), 0x4711]), 1);
  await fenced(connection);

  expect(errors).toEqual(['Bad window (request 8, value 0x4711)']);
  expect(connection.isOpen).toBe(true);
});

test('a fence is called when the server has handled everything before it', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const { root } = connection.screen;
  const order: string[] = [];
  const read = connection.readProperty(root, WM_NAME).then(() => order.push('answer'));

  connection.fence(() => order.push('fence'));
  await read;
  await fenced(connection);

  expect(order).toEqual(['answer', 'fence']);
});

test('a connection is finished when the server has handled everything', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const other = await server.connect();
  const { root } = connection.screen;
  for (let time = 0; time < 2_000; time += 1) connection.sendRequests(bytesOf(appendLetter(root, 'x')), 1);

  await connection.finish();

  expect(connection.isOpen).toBe(false);
  expect(await other.readProperty(root, WM_NAME)).toBe('x'.repeat(2_000));
});

test('a server that does not answer is not waited for at the end', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  server.sockets[0]?.pause();

  await connection.finish();

  expect(connection.isOpen).toBe(false);
});

test('a connection that has ended is finished', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  connection.close();

  await connection.finish();

  expect(connection.isOpen).toBe(false);
});

test('bytes that a server does not read are counted, and a fence behind them stays silent', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  server.sockets[0]?.pause();
  let isTold = false;
  const longest = new Uint8Array(LONGEST_REQUEST_BYTES);
  longest.set(bytesOf([NO_OPERATION | ((LONGEST_REQUEST_BYTES / 4) << 16)]));

  for (let time = 0; time < 40; time++) connection.sendRequests(longest, 1);
  connection.fence(() => {
    isTold = true;
  });
  const queued = connection.queuedBytes;
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect(queued).toBeGreaterThan(20 * LONGEST_REQUEST_BYTES);
  expect(isTold).toBe(false);
  server.sockets[0]?.resume();
  await fenced(connection);
  expect(isTold).toBe(true);
  expect(connection.queuedBytes).toBe(0);
});

test('questions are answered with an error at once when the server goes away', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const ended: string[] = [];
  connection.listen({ onEvent: () => {}, onError: () => {}, onEnd: ({ message }) => ended.push(message) });
  server.sockets[0]?.pause();
  const asked = connection.internAtom('SOME_ATOM');

  server.sockets[0]?.destroy();

  await expect(asked).rejects.toThrow(`the X server ${server.displayName} closed the connection`);
  await expect(connection.internAtom('OTHER_ATOM')).rejects.toThrow(DisplayUnavailableError);
  expect(ended).toEqual([`the X server ${server.displayName} closed the connection`]);
});

/** Stops a server before it reads the next request, and lets time pass. */
async function askStoppedServer(server: LibraryServer, prepare: (connection: XConnection) => void) {
  const connection = await server.connect();
  const [socket] = server.sockets;
  socket?.pause();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  prepare(connection);
  const answer = connection.internAtom('SOME_ATOM');
  answer.catch(() => {});
  connection.flush();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  socket?.resume();
  return answer;
}

test('a server that is stopped does not answer', async () => {
  await using server = await startLibraryServer();
  await expect(askStoppedServer(server, () => {})).rejects.toThrow('does not answer when asked for the atom SOME_ATOM');
});

test('once deadlines are lifted an answer may come late', async () => {
  await using server = await startLibraryServer();
  expect(await askStoppedServer(server, (connection) => connection.liftDeadlines())).toBeGreaterThan(68);
});

test('a listener that comes after the end learns about it', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const closed = once(connection.client.stream, 'close');
  server.sockets[0]?.destroy();
  await closed;

  const end = await new Promise<Error>((onEnd) => connection.listen({ onEvent: () => {}, onError: () => {}, onEnd }));

  expect(end.message).toBe(`the X server ${server.displayName} closed the connection`);
});

test('the first listener learns about events that came before it, each once', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  // This happens when a session's start sets the keyboard while fonts are looked for.
  const changeMapping = (): void => {
    const event = Buffer.alloc(32);
    event[0] = MAPPING_NOTIFY;
    event.writeUInt16LE(connection.client.seq_num, 2);
    server.sockets[0]?.write(event);
  };
  changeMapping();
  await fenced(connection);
  const events: [number, string | undefined][] = [];
  const listen = (listener: number): void =>
    connection.listen({ onEvent: ({ name }) => events.push([listener, name]), onError: () => {}, onEnd: () => {} });

  listen(1);
  expect(events).toEqual([]);
  await fenced(connection);
  listen(2);
  changeMapping();
  await fenced(connection);

  expect(events).toEqual([
    [1, 'MappingNotify'],
    [2, 'MappingNotify'],
  ]);
});

for (const [how, end] of [
  ['was closed', (connection: XConnection) => connection.close()],
  ['was lost', (connection: XConnection) => connection.client.stream.destroy()],
] as const) {
  test(`requests on a connection that ${how} go nowhere, silently`, async () => {
    await using server = await startLibraryServer();
    const connection = await server.connect();
    const closed = once(connection.client.stream, 'close');
    end(connection);
    await closed;

    connection.sendRequests(bytesOf([NO_OPERATION | (1 << 16)]), 1);
    connection.fence(() => expect.unreachable());
    connection.flush();
    for (let time = 0; time < 1_000; time++) connection.client.MapWindow(1);
    connection.client.GetInputFocus(() => expect.unreachable());
    await new Promise((resolve) => setImmediate(resolve));

    expect(connection.isOpen).toBe(false);
    expect(connection.queuedBytes).toBe(0);
    await expect(connection.internAtom('SOME_ATOM')).rejects.toThrow(DisplayUnavailableError);
  });
}

test('requests of one turn leave together', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const pieces: number[] = [];
  server.sockets[0]?.on('data', (bytes: Buffer) => pieces.push(bytes.length));

  await Promise.all(['ONE', 'TWO', 'THREE'].map((name) => connection.internAtom(name)));

  expect(pieces).toEqual([12 + 12 + 16]);
});

test('two servers in one process have atoms of their own', async () => {
  await using first = await startLibraryServer();
  await using second = await startLibraryServer();
  const [one, other] = [await first.connect(), await second.connect()];
  await other.internAtom('MADE_BEFORE');

  const numbers = [await one.internAtom('SHARED_NAME'), await other.internAtom('SHARED_NAME')];

  expect(numbers[1]).toBe((numbers[0] ?? 0) + 1);
});

for (const [code, reason] of [
  [5, 'Bad atom'],
  [200, 'error 200'],
] as const) {
  test(`an answer that is error ${code} is reported as "${reason}"`, async () => {
    await using server = await startLibraryServer();
    const connection = await server.connect();
    alterAnswers(server, (answer) => {
      answer[0] = 0;
      answer[1] = code;
    });

    const asked = connection.internAtom('SOME_ATOM');

    await expect(asked).rejects.toThrow(RequestRefusedError);
    await expect(asked).rejects.toThrow(
      `the X server ${server.displayName} can't be asked for the atom SOME_ATOM: ${reason} (request `,
    );
    expect(connection.isOpen).toBe(true);
  });
}

test('a question that no request has room for is refused, and the next one is answered', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();

  await expect(connection.internAtom('a'.repeat(300_000))).rejects.toThrow(RequestRefusedError);
  expect(await connection.internAtom('SOME_ATOM')).toBeGreaterThan(68);
});

test('an answer that is shorter than it says is unreadable, and the next one is read', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const restore = alterAnswers(server, (answer) => {
    answer[1] = 255;
  });

  const asked = connection.ask('the modifier mapping', (client, reply) => client.GetModifierMapping(reply));

  await expect(asked).rejects.toThrow(
    `the X server ${server.displayName} gave an answer that can't be read when asked for the modifier mapping`,
  );
  restore();
  expect(await connection.internAtom('SOME_ATOM')).toBeGreaterThan(68);
});

test('an answer of more bytes than anybody asked for ends the connection', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const ended: string[] = [];
  connection.listen({ onEvent: () => {}, onError: () => {}, onEnd: ({ message }) => ended.push(message) });
  alterAnswers(server, (answer) => answer.writeUInt32LE(0xffffffff, 4));

  await expect(connection.internAtom('SOME_ATOM')).rejects.toThrow(DisplayUnavailableError);

  expect(ended).toEqual([
    `the X server ${server.displayName} sent 17179869204 bytes where at most 4195328 were asked for`,
  ]);
  expect(connection.isOpen).toBe(false);
});

test('a property is read up to 4 MiB', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const { root } = connection.screen;
  const piece = Buffer.alloc(1 << 17, 'x');
  for (let time = 0; time < 36; time++) connection.client.ChangeProperty(2, root, WM_NAME, STRING, 8, piece);

  expect((await connection.readProperty(root, WM_NAME))?.length).toBe(1 << 22);
});

test('keys may have no keysyms at all', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  alterAnswers(server, (answer) => {
    answer[1] = 0;
  });

  expect(await askKeysyms(connection, { first: 8, last: 10 })).toEqual([[], [], []]);
});

test('each key has as many keysyms as the server says', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const { first, last } = connection.keycodes;

  const rows = await askKeysyms(connection, { first, last });

  expect(rows).toHaveLength(last - first + 1);
  expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
});

/** Appends a letter to a property of the root window. */
function appendLetter(root: number, letter: string): number[] {
  return [(2 << 8) | CHANGE_PROPERTY | (7 << 16), root, WM_NAME, STRING, 8, 1, letter.charCodeAt(0)];
}

function bytesOf(words: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer);
}

function fenced(connection: XConnection): Promise<void> {
  return new Promise((resolve) => connection.fence(resolve));
}
