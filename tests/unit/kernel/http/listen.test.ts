import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { StartError } from '../../../../src/kernel/errors.ts';
import { listen } from '../../../../src/kernel/http/listen.ts';

const OPTION = 'agent.listen';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function newServer(): Server {
  const server = createServer((_request, response) => response.end('here'));
  servers.push(server);
  return server;
}

test.each(['127.0.0.1', '::1', 'localhost'])('a server answers at %s, at a port of its own', async (address) => {
  const port = await listen(newServer(), { address, port: 0 }, OPTION);
  const host = address.includes(':') ? `[${address}]` : address;
  expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
});

test.each(['127.0.0.1', '::1'])('a port of %s that is taken is named with its option', async (address) => {
  const port = await listen(newServer(), { address, port: 0 }, OPTION);
  await expect(listen(newServer(), { address, port }, OPTION)).rejects.toThrow(
    new StartError(`${address} port ${port} is in use by another program: stop it or choose another agent.listen.port`),
  );
});

test.each(['192.0.2.1', '2001:db8::1', 'nobody.invalid'])(
  '%s, which is not of this machine, is named',
  async (address) => {
    await expect(listen(newServer(), { address, port: 0 }, OPTION)).rejects.toThrow(
      new StartError(`${address} port 0 is not an address of this machine: set agent.listen.address to one that is`),
    );
  },
);
