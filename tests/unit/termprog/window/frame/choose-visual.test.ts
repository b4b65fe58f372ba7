import { expect, test } from 'vitest';
import { DisplayUnavailableError } from '../../../../../src/termprog/errors.ts';
import { chooseVisual } from '../../../../../src/termprog/window/frame/choose-visual.ts';
import { optionsWith } from '../../options/options-with.ts';
import { startLibraryServer } from '../../x11/library-server.ts';

/** An error of the server; X11 protocol. */
const BAD_ACCESS = 10;

async function startChoosing() {
  const server = await startLibraryServer();
  const connection = await server.connect();
  const [socket] = server.sockets;
  if (socket === undefined) throw new Error('the server has no client');
  const told: string[] = [];
  const warning = (line: string): number => told.push(line);
  const diagnostics = { debug: () => {}, info: () => {}, warning, error: () => {} };
  return {
    connection,
    socket,
    told,
    choose: () => chooseVisual(connection, optionsWith({ backgroundOpacity: '0.5' }), diagnostics),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('a server that refuses to report compositors shows an opaque window, and one line says so', async () => {
  await using choosing = await startChoosing();
  const { connection, socket, told, choose } = choosing;
  const write = socket.write.bind(socket);
  socket.write = ((answer: Uint8Array) => {
    const error = Buffer.alloc(32);
    error.set([0, BAD_ACCESS, ...answer.subarray(2, 4)]);
    return write(error);
  }) as typeof write;

  const visual = await choose();

  expect(visual).toMatchObject({ id: connection.screen.root_visual, alphaMask: 0 });
  expect(told).toEqual(['resource vt100.backgroundOpacity: no compositor is running; the window is opaque']);
});

test('choosing a visual fails without a server', async () => {
  await using choosing = await startChoosing();
  choosing.socket.destroy();

  await expect(choosing.choose()).rejects.toThrow(DisplayUnavailableError);
  expect(choosing.told).toEqual([]);
});
