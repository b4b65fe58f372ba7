import { expect, test } from 'vitest';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';
import { startLibraryServer } from './library-server.ts';

/** Opcodes; X11 protocol. */
const CHANGE_PROPERTY = 18;
const GET_PROPERTY = 20;
const GET_INPUT_FOCUS = 43;

/** Predefined atoms. */
const STRING = 31;
const WM_NAME = 39;

/** Appends a letter to a property of the root window. */
const appendLetter = (root: number, letter: string): number[] => [
  (2 << 8) | CHANGE_PROPERTY | (7 << 16),
  root,
  WM_NAME,
  STRING,
  8,
  1,
  letter.charCodeAt(0),
];

test('requests leave one by one, each when the server has handled the one before', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const arrived: number[][] = [];
  server.sockets[0]?.on('data', (bytes: Buffer) => arrived.push(opcodesIn(bytes)));
  const requestsAtOnce = (): number =>
    Math.max(...arrived.map((opcodes) => opcodes.filter((opcode) => opcode !== GET_INPUT_FOCUS).length));

  expect(await appendLetters(connection)).toBe('abcd');
  expect(requestsAtOnce()).toBeGreaterThan(1);
  arrived.length = 0;
  connection.makeSynchronous();

  expect(await appendLetters(connection)).toBe('abcd');
  expect(requestsAtOnce()).toBe(1);
  expect(arrived.flat().filter((opcode) => opcode !== GET_INPUT_FOCUS)).toEqual([
    ...[CHANGE_PROPERTY, CHANGE_PROPERTY, CHANGE_PROPERTY, CHANGE_PROPERTY],
    GET_PROPERTY,
  ]);
});

/** Opcodes of the requests in some bytes. */
function opcodesIn(bytes: Buffer): number[] {
  const opcodes: number[] = [];
  for (let at = 0; at < bytes.length; at += 4 * bytes.readUInt16LE(at + 2)) opcodes.push(bytes[at] ?? 0);
  return opcodes;
}

/** Changes a property in every way there is to make a request, and returns its contents at the end. */
async function appendLetters(connection: XConnection): Promise<string | undefined> {
  const { client, screen } = connection;
  client.ChangeProperty(0, screen.root, WM_NAME, STRING, 8, Buffer.from('a'));
  const packed = Uint32Array.from([...appendLetter(screen.root, 'b'), ...appendLetter(screen.root, 'c')]);
  connection.sendRequests(new Uint8Array(packed.buffer), 2);
  client.ChangeProperty(2, screen.root, WM_NAME, STRING, 8, Buffer.from('d'));
  const held = await connection.readProperty(screen.root, WM_NAME);
  await new Promise<void>((resolve) => connection.fence(resolve));
  return held;
}
