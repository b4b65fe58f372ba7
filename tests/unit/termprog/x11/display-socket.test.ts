import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectSocket } from '../../../../src/termprog/x11/display-socket.ts';

/** Port of display 0. */
const FIRST_PORT = 6_000;

/** More than a kernel keeps for a connection that is not read. */
const LONG = 32 * 1024 * 1024;

test('bytes that were read stay unchanged when more is read', async () => {
  const { socket, peer } = await connect();
  const pieces: Buffer[] = [];
  const first = new Promise<void>((resolve) => void socket.once('data', () => resolve()));
  socket.on('data', (bytes) => pieces.push(bytes));
  peer.write('first');
  await first;
  const second = new Promise<void>((resolve) => void socket.once('data', () => resolve()));
  peer.write('other');
  await second;
  expect(pieces.map(String)).toEqual(['first', 'other']);
});

test('a short request reaches the system before the call returns', async () => {
  const { socket, peer } = await connect();
  const read = take(peer, 5);
  let isDone = false;
  socket.write(Buffer.from('short'), () => {
    isDone = true;
  });
  expect([isDone, socket.writableLength]).toEqual([true, 0]);
  expect(String(await read)).toBe('short');
});

test('requests to a server that does not read wait, and arrive whole and in order', async () => {
  const { socket, peer } = await connect();
  const long = Buffer.alloc(LONG);
  for (let at = 0; at < LONG; at += 4) long.writeUInt32LE(at, at);
  let finished = 0;
  const isFull = !socket.write(long, () => {
    finished += 1;
  });
  socket.write(Buffer.from('last'), () => {
    finished += 1;
  });
  expect([isFull, finished]).toEqual([true, 0]);

  const bytes = await take(peer, LONG + 4);

  expect(bytes.subarray(0, LONG).equals(long)).toBe(true);
  expect(String(bytes.subarray(LONG))).toBe('last');
  await expect.poll(() => finished).toBe(2);
});

test('a server that has gone is reported as the end of the connection', async () => {
  const { socket, peer } = await connect();
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.resume();
  peer.resetAndDestroy();
  await closed;
  expect(socket.write(Buffer.from('late'))).toBe(false);
});

/** Both ends of a connection to a display of this machine. */
async function connect(): Promise<{ socket: Socket; peer: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  onTestFinished(() => void server.close());
  const accepted = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const number = address.port - FIRST_PORT;
  const socket = connectSocket({ transport: 'tcp', host: '127.0.0.1', number, screen: 0 });
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => void socket.once('connect', resolve));
  const peer = await accepted;
  onTestFinished(() => void peer.destroy());
  return { socket, peer };
}

/** Resolves with this many bytes of a socket. */
function take(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let taken = 0;
    socket.on('data', (bytes: Buffer) => {
      pieces.push(bytes);
      taken += bytes.length;
      if (taken >= length) resolve(Buffer.concat(pieces));
    });
    socket.once('close', () => reject(new Error(`only ${taken} bytes came`)));
    socket.resume();
  });
}
