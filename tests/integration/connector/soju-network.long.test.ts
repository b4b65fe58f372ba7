import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type Ergo, startErgo } from '../../../scripts/stack/ergo.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { agent, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';

const test = testInRoom({ isUnpaced: true });

let other: Ergo;
/** bob is in the room of the first server, eve in that of the other one. */
let eve: IrcClient;

test.beforeAll(async () => {
  other = await startErgo({ folder: join(stack.folder, 'other-ergo') });
  eve = await joinIrc(other, 'eve', ['#room']);
});

afterAll(async () => {
  eve?.[Symbol.dispose]();
  await other?.process.stop();
});

/** Returns ada's commands that a client in the room saw. */
const doneBy = (client: IrcClient, since: number): string[] =>
  client.lines.slice(since).flatMap(({ command, sender }) => (sender === 'ada' ? [command] : []));

test('a restart with the same address leaves the connection to the network alone', async () => {
  await isHeard(bob, 'before the restart');
  const since = bob.lines.length;

  await stack.restartConnector();
  await isHeard(bob, 'after the restart');

  expect(doneBy(bob, since)).toEqual([]);
});

test('an account whose network address changed in the configuration is connected there after the restart', async () => {
  const [sinceBob, sinceEve] = [bob.lines.length, eve.lines.length];
  const config = JSON.parse(await readFile(stack.configFile, 'utf8'));
  const address = `irc+insecure://${other.host}:${other.port}`;
  config.bouncer.soju.network.address = address;
  await writeFile(stack.configFile, JSON.stringify(config));

  await stack.restartConnector();
  await isHeard(eve, 'on the other server');

  expect(doneBy(eve, sinceEve)).toEqual(['JOIN']);
  await waitFor('ada has left the first server', () => doneBy(bob, sinceBob).includes('QUIT'));
  expect(await agent.call('see_account_information')).toMatchObject({
    upstreamConnected: true,
    server: { network: 'main', address },
  });
});

/** Says a text in the room until it is captured: only members of the room hear it. */
async function isHeard(speaker: IrcClient, text: string): Promise<void> {
  await waitFor(`ada hears "${text}"`, async () => {
    speaker.say('#room', text);
    return (await historyOf(agent, '#room')).some((entry) => entry.text === text);
  });
}
