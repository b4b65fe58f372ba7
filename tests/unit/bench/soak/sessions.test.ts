import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { watchSessions } from '../../../../bench/soak/sessions.ts';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';

test('a session lasts from the bouncer’s welcome to the end of its connection, and has the name that was welcomed', async () => {
  await using server = await bouncer();
  await using watch = await watchSessions(server.port);
  const began = Date.now();
  const ada = await comeAs('ada', watch.port);
  await waitFor('ada is welcomed', () => watch.sessions.length === 1);
  await comeAs('eve', watch.port);
  const stranger = connect(watch.port, '127.0.0.1').on('error', () => undefined);
  await waitFor('eve is welcomed', () => watch.sessions.length === 2);
  expect(watch.sessions.map(({ account, to }) => [account, to])).toEqual([
    ['ada', Number.POSITIVE_INFINITY],
    ['eve', Number.POSITIVE_INFINITY],
  ]);
  ada.destroy();
  await waitFor('ada’s session has ended', () => Number.isFinite(watch.sessions[0]?.to));
  expect(watch.sessions[1]?.to).toBe(Number.POSITIVE_INFINITY);
  watch.reset();
  await waitFor('all sessions have ended', () => watch.sessions.every(({ to }) => Number.isFinite(to)));
  for (const { from, to } of watch.sessions) expect([from >= began, to >= from]).toEqual([true, true]);
  stranger.destroy();
});

/** A bouncer that welcomes who names itself, in two pieces. */
async function bouncer() {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const nick = /^NICK (\S+)/.exec(chunk.toString())?.[1];
      if (nick === undefined) return;
      socket.write(`:irc.test NOTICE * :001 ${nick} is no welcome\r\n:irc.test 0`);
      setImmediate(() => socket.write(`01 ${nick} :Welcome\r\n:irc.test 001 other :in a line of the channel\r\n`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function comeAs(nick: string, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.resume();
  await once(socket, 'connect');
  socket.write(`NICK ${nick}\r\n`);
  return socket;
}
