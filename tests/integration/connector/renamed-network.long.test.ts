import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { captured, messagesOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

let stack: ConnectorStack;
let ada: Agent;
let bob: IrcClient;

beforeAll(async () => {
  stack = await startConnectorStack({ isUnpaced: true });
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  ada = await agentIn(stack, 'ada', ['#room']);
  await ada.call('go_online');
  await waitFor('ada is in the room', async () => {
    const { channels } = await ada.call('see_account_information');
    return (channels as { joined: boolean }[]).every(({ joined }) => joined);
  });
});

afterAll(async () => {
  await ada?.[Symbol.asyncDispose]();
  bob?.[Symbol.dispose]();
  await stack?.[Symbol.asyncDispose]();
});

test('a network that gets another name in the configuration goes on with its history, without duplicates', async () => {
  for (const text of ['one', 'ada: two', 'three']) bob.say('#room', text);
  await captured(ada, 'three');
  const { messageId } = await ada.call('send_message', { channel: '#room', text: 'four' });
  await waitFor(
    'the echo',
    async () => (await ada.call('get_message_status', { message_id: messageId }))['status'] === 'echoed',
  );
  const texts = ['one', 'ada: two', 'three', 'four'];

  for (const [name, meanwhile] of [
    ['libera', 'said under the second name'],
    ['the-net', 'said under the third name'],
    ['main', 'said under the first name again'],
  ] as const) {
    await renamedTo(name, meanwhile);
    await captured(ada, meanwhile);
    texts.push(meanwhile);

    const said = await messagesOf(ada);
    expect(said.map(({ text }) => text)).toEqual(texts);
    expect(said.at(-1)?.network).toBe(name);
    expect(await ada.call('see_account_information')).toMatchObject({ server: { network: name } });
  }
});

/** The owner gives the network another name in the configuration; bob speaks while the connector is down. */
async function renamedTo(name: string, meanwhile: string): Promise<void> {
  await stack.connector.stop();
  bob.say('#room', meanwhile);
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as {
    bouncer: { soju: { network: { name: string } } };
  };
  config.bouncer.soju.network.name = name;
  await writeFile(stack.configFile, JSON.stringify(config));
  await stack.restartConnector();
}
