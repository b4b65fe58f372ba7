import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { agent as ada, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { captured, messagesOf } from '../../harness/history.ts';

const test = testInRoom({ isUnpaced: true });

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
