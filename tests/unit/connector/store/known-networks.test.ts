import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { recordInstallation } from '../../../../src/connector/store/installation.ts';
import { followNetworks } from '../../../../src/connector/store/known-networks.ts';
import { networkLoginPlace } from '../../../../src/connector/store/network-login-place.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { subscribed, textIn } from '../../../harness/mentions.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

const ADDRESS = 'ircs://irc.example';
const seal = createSeal(randomBytes(32));

const test = testWithNewStore();

let accountId: string;

test.beforeEach(async () => {
  await recordInstallation(open.database, seal, {
    baseUrl: 'https://a.example',
    issuer: 'https://b.example',
    networks: [],
  });
  await startedWith('main');
  accountId = await open.account('ada');
});

const startedWith = (name: string) => followNetworks(open.database, seal, [{ name, address: ADDRESS }]);

test('a network with another name keeps up to when its lines are stored, and up to when they were removed', async () => {
  const { capture, retention } = open.store;
  const at = open.clock.now();
  await capture.begin(accountId, 'main', ['#room'], at);
  await capture.ingest(accountId, 'main', {
    ...{ lines: [{ line: capturedLine('old', at - 1_000), own: undefined }], isReplay: true, synced: new Set() },
  });
  await retention.pruneOlder(accountId, at, 10);
  open.clock.set(at + 60_000);

  await startedWith('libera');
  await capture.begin(accountId, 'libera', ['#room'], open.clock.now());

  expect(await capture.syncedTo(accountId, 'libera', '#room')).toBe(at);
  expect(await capture.removedTo(accountId, 'libera', '#room')).toBe(at - 1_000);
});

test('lines that are stored under the earlier name are known where a gap is looked for', async () => {
  const { capture } = open.store;
  const at = open.clock.now();
  await capture.ingest(accountId, 'main', {
    ...{ lines: [{ line: capturedLine('said', at), own: undefined }], isReplay: false, synced: new Set() },
  });
  const range = { from: at - 1, to: at + 1 };

  await startedWith('libera');

  expect(await capture.hasLines(accountId, 'libera', '#room', range)).toBe(true);
  expect(await capture.hasLines(accountId, 'another', '#room', range)).toBe(false);
});

test('a loss of the connection is no sign of another network', async () => {
  const { capture, accounts } = open.store;
  const at = open.clock.now();
  await capture.ingest(accountId, 'main', {
    ...{ lines: [{ line: capturedLine('said', at - 2_000), own: undefined }], isReplay: false, synced: new Set() },
  });
  await accounts.setDisconnected(accountId, at - 1_000);

  await startedWith('libera');
  const join = { ...capturedLine('', at), kind: 'join', sender: 'ada', fingerprintBase: 'join' } as const;
  const own = { tag: undefined, isNick: true, isJoin: true };
  await capture.ingest(accountId, 'libera', { lines: [{ line: join, own }], isReplay: false, synced: new Set() });

  const gaps = await open.database('entries').where({ account_id: accountId, kind: 'gap' });
  expect(gaps).toMatchObject([{ gap_reason: 'disconnected', network: 'libera' }]);
  expect(Number(gaps[0].gap_from)).toBe(at - 1_000);
});

test('people stay on a network that has another name, and subscriptions to it go on', async () => {
  await open.store.accounts.chooseNetwork(accountId, 'main');
  await subscribed(open, accountId, { filters: { network: 'Main' } });

  await startedWith('libera');
  await open.store.capture.ingest(accountId, 'libera', {
    lines: [{ line: { ...capturedLine('ada: hello', open.clock.now()), sender: 'bob' }, own: undefined }],
    ...{ isReplay: false, synced: new Set() },
  });

  expect((await open.anew(open.clock).accounts.find(accountId))?.network).toBe('libera');
  const taken = await open.store.deliveries.take(10, 60_000);
  expect(taken.map(({ body }) => textIn(body))).toEqual(['ada: hello']);
});

test('a login is for the network under its new name, too', async () => {
  const place = { login_id: 'one', account_id: accountId, network: 'main', address: ADDRESS };
  const proof_sealed = seal.close('the proof', networkLoginPlace(place));
  await open
    .database('network_logins')
    .insert({ ...place, proof_sealed, state: 'accepted', words: null, changed_at: 0 });

  await startedWith('libera');

  const row = await open.database('network_logins').first();
  expect(row).toMatchObject({ network: 'libera', state: 'accepted' });
  expect(seal.open(row.proof_sealed, networkLoginPlace({ ...place, network: 'libera' }))).toBe('the proof');
});

test('the echo of a send that was on its way settles it under the new name', async () => {
  const { messages, capture } = open.store;
  const now = open.clock.now();
  const { messageId } = await storeSend(open, {
    ...{
      accountId,
      clientId: 'client',
      sessionId: undefined,
      idempotencyKey: undefined,
      channel: '#room',
      text: 'hello',
    },
    ...{ network: 'main', nick: 'ada', parts: [{ text: 'hello', tag: 'tag' }] },
  });
  await open.database('message_parts').update({ status: 'queued', written_at: now });
  await open.database('messages').update({ status: 'queued' });

  await startedWith('libera');
  const own = { tag: undefined, isNick: true, isJoin: false, echoOf: 'any' } as const;
  await capture.ingest(accountId, 'libera', {
    lines: [{ line: { ...capturedLine('hello', now + 1), sender: 'ada', isExact: true }, own }],
    ...{ isReplay: false, synced: new Set() },
  });

  expect((await messages.find(messageId))?.status).toBe('echoed');
  expect(await open.database('entries').where('account_id', accountId)).toHaveLength(1);
});
