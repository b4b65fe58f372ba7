import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected, informationOf } from '../../harness/person.ts';
import { type ConnectorStack, secretFile, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RIGHT = 'right-key-of-the-tests';
const WRONG = 'wrong-key-of-the-tests';
const LATER = 'later-key-of-the-tests';

let stack: ConnectorStack;
let bob: IrcClient;
let ada: Agent;
let keysFile: string;
const disposables = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = disposables.use(await tempFolder());
  keysFile = await secretFile(folder.path, 'channel-keys', `main #room ${RIGHT}\nmain #Ops ${WRONG}`);
  stack = disposables.use(await startConnectorStack({ isUnpaced: true, bouncer: { channelKeysFile: keysFile } }));
  bob = disposables.use(await joinIrc(stack.ergo, 'bob', ['#room', '#Ops', '#third']));
  for (const channel of ['#room', '#Ops', '#third']) bob.send('MODE', channel, '+k', RIGHT);
  await bob.seen('the last key', ({ command, params }) => command === 'MODE' && params[0] === '#third');
  ada = disposables.use(await agentIn(stack, 'ada', ['#room', '#Ops', '#third']));
  await ada.call('go_online');
  await connected(ada);
});

afterAll(() => disposables.disposeAsync());

const isIn = (channel: string): Promise<unknown> =>
  waitFor(`ada is in ${channel}`, async () => (await placeOf(channel))?.joined === true);

test('a channel with a key is joined by the one of the file; one with another key, and one without, say what is to be done', async () => {
  await isIn('#room');
  await waitFor('both others say why', async () => {
    const [other, none] = [await placeOf('#Ops'), await placeOf('#third')];
    return (
      other?.notJoinedReason?.includes('another key than the file') === true &&
      none?.notJoinedReason?.includes('an owner puts it into the file of bouncer.soju.channelKeysFile') === true
    );
  });
  expect((await placeOf('#Ops'))?.notJoinedReason).toMatch(/^475 /);
  expect(JSON.stringify(await informationOf(ada))).not.toContain('-key-of-the-tests');
});

test('a key that is corrected in the file is used at the reload, without a restart', async () => {
  await writeFile(keysFile, `main #room ${RIGHT}\nmain #Ops ${RIGHT}\nmain #third ${RIGHT}\n`, { mode: 0o600 });

  stack.connector.kill('SIGHUP');

  await isIn('#Ops');
  await isIn('#third');
});

test('a wrong file keeps the earlier keys, and the log names its line and no word of it', async () => {
  await writeFile(keysFile, `main #room ${RIGHT}\nmain #nowhere ${LATER}\n`, { mode: 0o600 });

  stack.connector.kill('SIGHUP');

  await waitFor('the log tells', () => stack.connector.output().includes('line 2 of the file'));
  expect(stack.connector.output()).not.toContain('nowhere');
});

test('a key that changes on IRC is used once the file has it, and the history shows no key', async () => {
  bob.send('MODE', '#room', '-k', RIGHT);
  bob.send('MODE', '#room', '+k', LATER);
  await bob.seen('the new key', ({ command, params }) => command === 'MODE' && params[2] === LATER);
  bob.send('KICK', '#room', 'ada', 'try again');
  await waitFor('ada is out', async () => (await placeOf('#room'))?.joined === false);
  await ada.call('go_online');
  await waitFor(
    'ada is told',
    async () => (await placeOf('#room'))?.notJoinedReason?.includes('another key than the file') === true,
  );

  await writeFile(keysFile, `main #room ${LATER}\nmain #Ops ${RIGHT}\nmain #third ${RIGHT}\n`, { mode: 0o600 });
  stack.connector.kill('SIGHUP');

  await isIn('#room');
  const modes = (await historyOf(ada, '#room')).filter(({ kind }) => kind === 'mode').map(({ text }) => text);
  expect(modes).toContain('+k *');
  expect(JSON.stringify(await historyOf(ada, '#room'))).not.toContain('-key-of-the-tests');
  expect(stack.connector.output()).not.toContain('-key-of-the-tests');
});

test('the channels are joined again after the bouncer and the connector have been restarted', async () => {
  await stack.restartSoju();
  await stack.restartConnector();
  await connected(ada);
  for (const channel of ['#room', '#Ops', '#third']) await isIn(channel);
});

interface Place {
  channel: string;
  joined: boolean;
  notJoinedReason: string | null;
}

async function placeOf(channel: string): Promise<Place | undefined> {
  const { channels } = (await informationOf(ada)) as { channels: Place[] };
  return channels.find((place) => place.channel === channel);
}
