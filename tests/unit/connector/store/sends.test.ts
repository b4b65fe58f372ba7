import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgePart } from '../../../../src/connector/domain/outgoing-message.ts';
import type { OwnLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';

const BEGIN = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1_000;

let open: OpenStore;
let serial = 0;

beforeAll(async () => {
  open = await openStore();
});

afterAll(async () => {
  await open[Symbol.asyncDispose]();
});

/** A message of these lines, all of them written. */
async function sent(...texts: string[]) {
  serial += 1;
  open.clock.set(BEGIN);
  const nick = `sender${serial}`;
  const accountId = await open.account(nick);
  const parts = texts.map((text, index) => ({ text, tag: `tag ${serial} ${index}` }));
  const message = await open.store.messages.create({
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
    ...{ channel: '#room', nick, text: texts.join(''), parts },
  });
  for (const part of await open.store.messages.outstanding(accountId, BEGIN)) {
    await open.store.messages.setPartStatus(part, 'queued');
  }
  const status = async () => (await open.store.messages.find(message.messageId))?.status;
  const entries = () => open.database('entries').where('account_id', accountId).orderBy('row');
  const echo = async (
    text: string,
    own: Partial<OwnLine> & { isForeign?: boolean },
    { sender = nick, isReplay = false, isExact = true } = {},
  ) => {
    const line = { ...capturedLine(text, BEGIN + 5), sender, fingerprintBase: `${serial} ${text}`, isExact };
    const { isForeign = false, ...marks } = own;
    const known = { tag: undefined, isNick: sender === nick, isJoin: false, ...marks };
    const lines = [{ line, own: isForeign ? undefined : known }];
    await open.store.capture.ingest(accountId, 'main', { lines, isReplay, synced: new Set() });
  };
  return { accountId, message, parts, status, entries, echo, tag: (index: number) => parts[index]?.tag };
}

test('each line of a split message comes back as a part of one entry, live and replayed', async () => {
  const { echo, status, entries, tag } = await sent('first ', 'second');

  await echo('first ', { tag: tag(0) });
  expect(await status()).toBe('queued');
  await echo('second', { tag: tag(1) });
  expect(await status()).toBe('echoed');
  await echo('first ', { tag: tag(0) }, { isReplay: true });
  await echo('second', { tag: tag(1) }, { isReplay: true });
  // An upstream may lose tags between the line and its replay.
  await echo('second', { tag: undefined }, { isReplay: true });

  expect(await entries()).toMatchObject([{ text: 'first second', timestamp_source: 'server', event_at: BEGIN + 5 }]);
});

test('a second part that is replayed without its tag under an earlier nick does not become an entry', async () => {
  const { echo, entries } = await sent('first ', 'second');
  await echo('first ', {}, { isExact: false });
  await echo('second', {}, { isExact: false });

  await echo('second', { isForeign: true }, { isReplay: true, isExact: false });

  expect(await entries()).toHaveLength(1);
});

test('a tag used by somebody else echoes nothing', async () => {
  const { echo, status, entries, tag } = await sent('mine');

  await echo('mine', { tag: tag(0) }, { sender: 'mallory' });

  expect(await status()).toBe('queued');
  expect(await entries()).toMatchObject([{ timestamp_source: 'local' }, { sender: 'mallory' }]);
});

test('an echo that comes after the message was given up on makes it echoed', async () => {
  const { accountId, message, echo, status, tag } = await sent('late');
  const [part] = await open.store.messages.outstanding(accountId, BEGIN);
  if (part !== undefined) await open.store.messages.setPartStatus(part, 'failed', 'no answer');
  expect(await status()).toBe('failed');

  await echo('late', { tag: tag(0) }, { isReplay: true });

  expect(await open.store.messages.find(message.messageId)).toMatchObject({ status: 'echoed', reason: null });
});

test('an echo without an id is preliminary: a refusal that follows it still counts', async () => {
  const { accountId, echo, status } = await sent('maybe');

  await echo('maybe', {}, { isExact: false });
  expect(await status()).toBe('queued');
  const [part] = await open.store.messages.outstanding(accountId, BEGIN);
  if (part !== undefined) await open.store.messages.setPartStatus(part, 'failed', '404');

  expect(await status()).toBe('failed');
});

test('a message that waited while the program was away is given up on, and holds up no other', async () => {
  const { accountId } = await sent('written');
  await open.store.messages.create({
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
    ...{ channel: '#room', nick: 'x', text: 'waiting', parts: [{ text: 'waiting', tag: 'waiting tag' }] },
  });
  const now = BEGIN + DAY_MS;

  const outstanding = await open.store.messages.outstanding(accountId, now - 60_000);

  expect(outstanding.map((part) => [part.text, judgePart(part, now, { isOnLink: false, isPassed: false })])).toEqual([
    ['waiting', 'too_late_to_send'],
  ]);
});

test('a line the bouncer echoed on its own is looked at again, however long the program was away', async () => {
  const { accountId, echo } = await sent('echoed before the crash');
  await echo('echoed before the crash', {}, { isExact: false });

  const outstanding = await open.store.messages.outstanding(accountId, BEGIN + DAY_MS);

  expect(outstanding.map(({ text }) => text)).toEqual(['echoed before the crash']);
});

test('sending a failed message again sends only the lines that were not sent, under new tags', async () => {
  const { accountId, message, echo, tag, status } = await sent('one ', 'two ', 'three');
  await echo('one ', { tag: tag(0) });
  const [part] = await open.store.messages.outstanding(accountId, BEGIN);
  if (part !== undefined) await open.store.messages.setPartStatus(part, 'failed', '404');
  const failed = await open.store.messages.countFailedParts(message.messageId);

  const renewed = await open.store.messages.renew(message.messageId, () => 'a new tag');

  expect([failed, renewed.status, renewed.reason]).toEqual([1, 'pending', null]);
  const waiting = (await open.store.messages.outstanding(accountId, BEGIN)).filter(
    ({ writtenAt }) => writtenAt === null,
  );
  expect(waiting).toMatchObject([{ number: 2, text: 'two ', tag: 'a new tag' }]);
  expect(await status()).toBe('pending');
});

const ON_LINK = { isOnLink: true, isPassed: false };
for (const [why, part, fate, verdict] of [
  ['waits for its turn', { writtenAt: null }, ON_LINK, 'wait'],
  ['was just written', { writtenAt: 9_000 }, ON_LINK, 'wait'],
  ['was written and did not come back soon', { writtenAt: 5_000 }, ON_LINK, 'ask_server'],
  ['was passed over by a server that answers', { writtenAt: 5_000 }, { ...ON_LINK, isPassed: true }, 'unanswered'],
  ['went over a connection that is gone', { writtenAt: 5_000 }, { isOnLink: false, isPassed: false }, 'wait'],
  ['came back from the bouncer just now', { writtenAt: 5_000, echoedAt: 9_000 }, ON_LINK, 'wait'],
  ['came back and was not refused', { writtenAt: 5_000, echoedAt: 7_500 }, ON_LINK, 'echoed'],
] as const) {
  test(`a line that ${why}: ${verdict}`, () => {
    const line = { messageId: 'm', number: 1, channel: '#room', text: 't', tag: 'x', createdAt: 1, echoedAt: null };

    expect(judgePart({ ...line, ...part }, 10_000, fate)).toBe(verdict);
  });
}

test('what is on its way is found by its status, not by reading all that the account ever said', async () => {
  const { accountId } = await sent('one');

  const plans = await plansOf(open, () => open.store.messages.outstanding(accountId, BEGIN));

  const indexes = plans.flat().flatMap((step) => /message_parts_\w+_index/.exec(step) ?? []);
  expect(indexes).toEqual(['message_parts_account_id_status_row_index', 'message_parts_account_id_status_row_index']);
});
