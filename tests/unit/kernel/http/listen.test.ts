import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { StartError } from '../../../../src/kernel/errors.ts';
import { listen } from '../../../../src/kernel/http/listen.ts';
import type { Logger } from '../../../../src/kernel/logger.ts';

const logged: [fields: object, message: string][] = [];
const note = (fields: object, message: string): void => void logged.push([fields, message]);
const log: Logger = { debug: note, info: note, warn: note, error: note };
const OPTION = 'agent.listen';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test.each(['127.0.0.1', '::1', 'localhost'])('a server answers at %s, at a port of its own', async (address) => {
  const port = await listen(newServer(), { address, port: 0 }, { option: OPTION, log });
  const host = address.includes(':') ? `[${address}]` : address;
  expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
});

test.each(['127.0.0.1', '::1'])('a port of %s that is taken is named with its option', async (address) => {
  const port = await listen(newServer(), { address, port: 0 }, { option: OPTION, log });
  await expect(listen(newServer(), { address, port }, { option: OPTION, log })).rejects.toThrow(
    new StartError(`${address} port ${port} is in use by another program: stop it or choose another agent.listen.port`),
  );
});

test.each(['192.0.2.1', '2001:db8::1', 'nobody.invalid'])(
  '%s, which is not of this machine, is named',
  async (address) => {
    await expect(listen(newServer(), { address, port: 0 }, { option: OPTION, log })).rejects.toThrow(
      new StartError(`${address} port 0 is not an address of this machine: set agent.listen.address to one that is`),
    );
  },
);

test('errors of a listening server are logged once a minute, and it keeps answering', async () => {
  const server = newServer();
  const port = await listen(server, { address: '127.0.0.1', port: 0 }, { option: OPTION, log });
  const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });

  // Node emits such errors when the kernel hands no connection out; only the listener of `listen` hears them.
  for (let count = 0; count < 3; count += 1) server.emit('error', error);

  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
  expect(logged).toEqual([[{ err: error, count: 1 }, 'a listening socket has failed: it goes on listening']]);
});

function newServer(): Server {
  const server = createServer((_request, response) => response.end('here'));
  servers.push(server);
  return server;
}
