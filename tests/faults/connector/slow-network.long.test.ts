import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startErgo } from '../../../scripts/stack/ergo.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/**
 * Delay of the server's first answer: longer than the first waits between attempts, and longer than going online waits
 * for its answer.
 */
const IDENT_MS = 40_000;

test('a server whose ident takes forty seconds is reached, also when somebody goes online again meanwhile', async () => {
  let door: SlowDoor | undefined;
  await using stack = await startConnectorStack({
    startServer: async (options) => {
      const ergo = await startErgo(options);
      door = await startSlowDoor(ergo.port);
      return { ...ergo, port: door.port };
    },
  });
  await using agent = await agentIn(stack, 'ada', ['#room']);
  const state = async () => (await agent.call('see_account_information'))['upstreamConnected'];

  await agent.call('go_online');
  expect(await state()).toBe(false);
  await agent.call('go_online');
  await waitFor('it is connected', async () => (await state()) === true, { timeoutMs: 2 * IDENT_MS });

  expect(door?.attempts).toBe(1);
  await door?.[Symbol.asyncDispose]();
});

/**
 * Stands before the server and is silent to a new client for a while, as servers are that look for its ident and name.
 */
async function startSlowDoor(serverPort: number): Promise<SlowDoor> {
  const server = createServer((client) => {
    door.attempts += 1;
    client.pause();
    client.on('error', () => undefined);
    const timer = setTimeout(() => {
      const upstream = connect(serverPort, '127.0.0.1');
      upstream.on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    }, IDENT_MS);
    client.once('close', () => clearTimeout(timer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const door: SlowDoor = {
    port: (server.address() as AddressInfo).port,
    attempts: 0,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
  return door;
}

interface SlowDoor extends AsyncDisposable {
  port: number;
  /** Number of connections that were begun. */
  attempts: number;
}
