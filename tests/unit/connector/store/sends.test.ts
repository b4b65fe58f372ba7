import { expect } from 'vitest';
import { judgePart } from '../../../../src/connector/domain/outgoing-message.ts';
import type { OwnLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';
import { renewSend, storeSend } from '../../../harness/stored-sends.ts';

const BEGIN = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1_000;

const test = testWithStore();

let serial = 0;

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

test('another user’s line with the tag of a send is no echo', async () => {
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
  await storeSend(open, {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
    ...{ channel: '#room', nick: 'x', text: 'waiting', parts: [{ text: 'waiting', tag: 'waiting tag' }] },
  });
  const now = BEGIN + DAY_MS;

  const outstanding = await open.store.messages.outstanding(accountId, now - 60_000);

  expect(outstanding.map((part) => [part.text, judgePart(part, now, { isPassed: false })])).toEqual([
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

  const renewed = await renewSend(open, message.messageId, () => 'a new tag');

  expect([renewed.status, renewed.reason]).toEqual(['pending', null]);
  const waiting = (await open.store.messages.outstanding(accountId, BEGIN)).filter(
    ({ writtenAt }) => writtenAt === null,
  );
  expect(waiting).toMatchObject([{ number: 2, text: 'two ', tag: 'a new tag' }]);
  expect(await status()).toBe('pending');
});

for (const [why, part, isPassed, verdict] of [
  ['waits for its turn', { writtenAt: null }, false, 'wait'],
  ['was just written', { writtenAt: 9_000 }, false, 'wait'],
  ['was written and did not come back', { writtenAt: 5_000 }, false, 'wait'],
  ['was passed over by a server that answers', { writtenAt: 5_000 }, true, 'wait'],
  ['came back from the bouncer just now', { writtenAt: 5_000, echoedAt: 9_000 }, false, 'wait'],
  ['came back from the bouncer, and the server answered since', { writtenAt: 5_000, echoedAt: 9_000 }, true, 'echoed'],
  ['came back and was not refused', { writtenAt: 5_000, echoedAt: 7_500 }, false, 'echoed'],
] as const) {
  test(`a line that ${why}: ${verdict}`, () => {
    const line = {
      ...{ messageId: 'm', number: 1, channel: '#room', text: 't', tag: 'x', network: 'main' },
      ...{ createdAt: 1, echoedAt: null },
    };

    expect(judgePart({ ...line, ...part }, 10_000, { isPassed })).toBe(verdict);
  });
}

/** Messages of one line each, all written to one channel in this order. */
async function sentInOrder(...texts: string[]) {
  serial += 1;
  open.clock.set(BEGIN);
  const nick = `sender${serial}`;
  const accountId = await open.account(nick);
  const ids: string[] = [];
  const tagOf = (text: string): string => `tag ${nick} ${text}`;
  for (const text of texts) {
    const { messageId } = await storeSend(open, {
      ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: `key of ${text}`, network: 'main' },
      ...{ channel: '#room', nick, text, parts: [{ text, tag: tagOf(text) }] },
    });
    ids.push(messageId);
    await open.store.messages.setPartStatus({ messageId, number: 1 }, 'queued');
  }
  let heardCount = 0;
  const ownLine = (text: string, own: Partial<OwnLine>, at: number) => {
    heardCount += 1;
    const line = { ...capturedLine(text, at), sender: nick, fingerprintBase: `${nick} ${heardCount}` };
    return { line, own: { tag: undefined, isNick: true, isJoin: false, ...own } };
  };
  const ingest = async (lines: ReturnType<typeof ownLine>[], isReplay: boolean) =>
    void (await open.store.capture.ingest(accountId, 'main', { lines, isReplay, synced: new Set() }));
  const hear = (text: string, own: Partial<OwnLine> = {}, { isReplay = false, at = BEGIN + 5 } = {}) =>
    ingest([ownLine(text, own, at)], isReplay);
  /** All of them at once, from a server that drops tags. */
  const hearTogether = (lines: readonly [text: string, at: number][], isReplay: boolean) =>
    ingest(
      lines.map(([text, at]) => ownLine(text, {}, at)),
      isReplay,
    );
  const statuses = async () => Promise.all(ids.map(async (id) => (await open.store.messages.find(id))?.status));
  const said = async (): Promise<[string | null, string][]> => {
    const entries = await open.database('entries').where('account_id', accountId).orderBy('row');
    return entries.map(({ message_id: id, text }: { message_id: string | null; text: string }) => [id, text]);
  };
  return { accountId, ids, hear, hearTogether, statuses, said, tagOf };
}

test('an echo whose words and tag the server has changed is that of the oldest line on its way, and its entry has those words', async () => {
  const { accountId, ids, hear, statuses, said } = await sentInOrder('darn it', 'darn that', 'fine');

  await hear('**** it');
  await hear('**** that');
  await hear('fine');

  expect(await statuses()).toEqual(['echoed', 'echoed', 'echoed']);
  expect(await said()).toEqual([
    [ids[0], '**** it'],
    [ids[1], '**** that'],
    [ids[2], 'fine'],
  ]);
  const known = await open.store.messages.findByKey(accountId, 'client', 'key of darn it');
  expect(known).toMatchObject({ text: 'darn it', message: { status: 'echoed' } });
});

test('the words that the server made of a line are found by a search, and those that were sent are not', async () => {
  const fillers = Array.from({ length: 15 }, (_, n) => `filler ${n}`);
  const { accountId, hear } = await sentInOrder('darn it', ...fillers);
  while ((await open.store.textIndex.extend(accountId, '#room')) > 0);

  await hear('bless it');

  const found = async (phrase: string) =>
    (await open.store.history.newestFirst(accountId, { channels: ['#room'], limit: 10, phrase })).map(
      ({ text }) => text,
    );
  expect([await found('bless'), await found('darn')]).toEqual([['bless it'], []]);
});

test('a line in several parts has the words that others saw of each', async () => {
  const { echo, status, entries } = await sent('first darn ', 'second darn');

  await echo('first **** ', {});
  await echo('second ****', {});

  expect(await status()).toBe('echoed');
  expect(await entries()).toMatchObject([{ text: 'first **** second ****', timestamp_source: 'server' }]);
});

test('a line that the server drops without a word stays queued, and the echoes of later lines are theirs', async () => {
  const { accountId, hear, statuses, said } = await sentInOrder('dropped', 'heard', 'darn');

  await hear('heard');
  await hear('****');
  await hear('said by another client of the person');

  expect(await statuses()).toEqual(['queued', 'echoed', 'echoed']);
  expect((await said()).map(([, text]) => text)).toEqual([
    'dropped',
    'heard',
    '****',
    'said by another client of the person',
  ]);
  const outstanding = await open.store.messages.outstanding(accountId, BEGIN);
  expect(outstanding).toEqual([]);
});

test('a message of another client of the person while a line was on its way becomes an entry of its own when the tag comes', async () => {
  const { ids, hear, statuses, said, tagOf } = await sentInOrder('from the agent');

  await hear('from the phone');
  await hear('from the agent', { tag: tagOf('from the agent') }, { at: BEGIN + 6 });

  expect(await statuses()).toEqual(['echoed']);
  expect(await said()).toEqual([
    [ids[0], 'from the agent'],
    [null, 'from the phone'],
  ]);
});

for (const [how, isReplay] of [
  ['replayed after an absence', true],
  ['heard at once', false],
] as const) {
  test(`a message of another client of the person is no echo of a line that itself comes later among those ${how}`, async () => {
    const { ids, hearTogether, statuses, said } = await sentInOrder('from the agent', 'darn it');

    await hearTogether(
      [
        ['from the phone', BEGIN],
        ['from the agent', BEGIN + 1],
        ['**** it', BEGIN + 2],
      ],
      isReplay,
    );

    expect(await statuses()).toEqual(['echoed', 'echoed']);
    expect(await said()).toEqual([
      [ids[0], 'from the agent'],
      [ids[1], '**** it'],
      [null, 'from the phone'],
    ]);
  });
}

test('a message of another client while the program was away, before a line was written, is no echo of that', async () => {
  const { ids, hear, statuses, said } = await sentInOrder('lost on its way');

  await hear('from the phone', {}, { isReplay: true, at: BEGIN - 60_000 });
  expect([await statuses(), (await said()).length]).toEqual([['queued'], 2]);
  // Two clocks are seldom nearer.
  await hear('l*** on its way', {}, { isReplay: true, at: BEGIN - 2_000 });

  expect(await statuses()).toEqual(['echoed']);
  expect((await said())[0]).toEqual([ids[0], 'l*** on its way']);
});

test('a notice, an action and a line of long ago that the person said elsewhere are no echoes', async () => {
  const { hear, statuses, said } = await sentInOrder('waits');

  await hear('a notice', { echoOf: 'none' });
  await hear('of before', {}, { isReplay: true, at: BEGIN - DAY_MS });
  open.clock.set(BEGIN + 10 * 60_000);
  await hear('much later');
  await hear('soon', { echoOf: 'any_soon' });

  expect(await statuses()).toEqual(['queued']);
  expect(await said()).toHaveLength(5);
});

test('an echo that was missed is that of its line also when a later one has come back before', async () => {
  const { hear, statuses, said } = await sentInOrder('missed', 'live');
  await hear('live');

  await hear('missed', { echoOf: 'same_text' }, { isReplay: true });

  expect(await statuses()).toEqual(['echoed', 'echoed']);
  expect(await said()).toHaveLength(2);
});

test('a line that is said once more after a refusal is again on its way, behind those written since', async () => {
  const { ids, hear, statuses } = await sentInOrder('first', 'second');
  const [first = ''] = ids;
  await open.store.messages.setPartStatus({ messageId: first, number: 1 }, 'failed', '404');
  await renewSend(open, first, () => `tag of the next try ${serial}`);
  open.clock.set(BEGIN + 1_000);
  await open.store.messages.setPartStatus({ messageId: first, number: 1 }, 'queued');

  await hear('2nd');
  await hear('1st');

  expect(await statuses()).toEqual(['echoed', 'echoed']);
  expect(await open.database('entries').where('message_id', first).pluck('text')).toEqual(['1st']);
});

test('sends on their way are found by their status and time, without reading earlier ones', async () => {
  const { accountId, echo } = await sent('one');
  const indexesOf = async (work: () => Promise<unknown>) =>
    (await plansOf(open, work))
      .flat()
      .flatMap((step) => /message_parts_(?:account_id_status|heard)\w*_index/.exec(step) ?? []);

  expect((await indexesOf(() => open.store.messages.outstanding(accountId, BEGIN))).sort()).toEqual([
    'message_parts_account_id_status_created_at_row_index',
    'message_parts_account_id_status_row_index',
    'message_parts_heard_index',
  ]);
  expect(new Set(await indexesOf(() => echo('other words', { tag: undefined })))).toEqual(
    new Set(['message_parts_account_id_status_created_at_row_index']),
  );
});

test('accounts with lines that wait are found by these lines, however many others were sent', async () => {
  await sent('one');
  const plans = await plansOf(open, () => open.store.messages.accountsWaiting());

  const indexes = plans.flat().flatMap((step) => /message_parts\w*_index/.exec(step) ?? []);
  // SQLite looks for each account's lines by either: both find them without reading others.
  const alike =
    open.database.client.driverName === 'pg' ? [] : ['message_parts_account_id_status_created_at_row_index'];
  expect(indexes).toHaveLength(1);
  expect(['message_parts_pending_index', ...alike]).toContain(indexes[0]);
});

test('however many lines of a channel a server has dropped without a word, the echo of a later line is that of its line', async () => {
  const { accountId, echo, entries, message, status } = await sent('dropped');
  const nick = `sender${serial}`;
  const say = async (text: string) => {
    const said = await storeSend(open, {
      ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
      ...{ channel: '#room', nick, text, parts: [{ text, tag: `tag ${serial} ${text}` }] },
    });
    for (const part of await open.store.messages.outstanding(accountId, 0)) {
      if (part.messageId === said.messageId) await open.store.messages.setPartStatus(part, 'queued');
    }
    return said.messageId;
  };
  for (let number = 0; number < 220; number += 1) await say(`dropped ${number}`);
  open.clock.set(BEGIN + 2 * DAY_MS);
  const messageId = await say('darn it');

  await echo('**** it', { tag: undefined });

  expect((await open.store.messages.find(messageId))?.status).toBe('echoed');
  expect((await entries()).at(-1)).toMatchObject({ message_id: messageId, text: '**** it' });
  expect([message.status, await status()]).toEqual(['pending', 'queued']);
});

/** A message of these lines, all of them written. */
async function sent(...texts: string[]) {
  serial += 1;
  open.clock.set(BEGIN);
  const nick = `sender${serial}`;
  const accountId = await open.account(nick);
  const parts = texts.map((text, index) => ({ text, tag: `tag ${serial} ${index}` }));
  const message = await storeSend(open, {
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
