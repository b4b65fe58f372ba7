import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { playedOutbox } from '../../../harness/played-outbox.ts';
import { renewSend } from '../../../harness/stored-sends.ts';

const SECOND_MS = 1_000;

const test = testWithStore();

const account = (options?: Parameters<typeof playedOutbox>[1]) => playedOutbox(open, options);

test('a line for a channel that the bouncer has not joined yet waits until it has', async () => {
  const { drain, close, written, add, unheard } = await account();
  unheard.add('#room');
  await add('early');
  await drain();
  const before = [...written];

  unheard.clear();
  await drain();
  await close();

  expect([before, written]).toEqual([[], ['early']]);
});

test('a line that can’t be written fails its message, and the lines after it are not sent', async () => {
  const { drain, close, written, add } = await account({
    write: () => {
      throw new Error('the connection is closed');
    },
  });
  const message = await add('one ', 'two');

  await drain();
  await close();

  expect(await message()).toMatchObject({ status: 'failed', reason: 'part 1 of 2: the connection is closed' });
  expect(written).toEqual([]);
});

test('lines wait while the network is away, and fail when they are too late to be said', async () => {
  const { drain, close, session, written, add } = await account({ upstream: false });
  const message = await add('waits');
  await drain();
  expect(await message()).toMatchObject({ status: 'pending' });

  open.clock.set(open.clock.now() + 29 * SECOND_MS);
  session.upstream = true;
  await drain();
  await close();

  expect(await message()).toMatchObject({ status: 'failed' });
  expect(written).toEqual([]);
});

test('a burst goes out at once and then a line each two seconds, in order', async () => {
  const { drain, close, written, add, echoAll } = await account();
  for (let n = 0; n < 8; n += 1) await add(`line ${n}`);

  await drain();
  expect(written).toHaveLength(5);
  await echoAll();
  open.clock.set(open.clock.now() + 2 * SECOND_MS);
  await drain();
  await close();

  expect(written).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
});

test('after a restart the lines sent just before it count', async () => {
  const { outbox, drain, close, restarted, written, add } = await account();
  for (let n = 0; n < 5; n += 1) await add(`before ${n}`);
  await drain();
  outbox.close();

  const next = restarted();
  for (let n = 0; n < 9; n += 1) await add(`after ${n}`);
  await next.recall();
  await drain(next);
  next.close();
  expect(written).toHaveLength(10);

  const third = restarted();
  await third.recall();
  await drain(third);
  third.close();
  await close();
  expect(written).toHaveLength(10);
});

test('lines that do not come back stay queued for any time, and no question is asked about them', async () => {
  const { drain, close, written, add, questions } = await account();
  const messages = await Promise.all(Array.from({ length: 6 }, (_, n) => add(`line ${n}`)));
  await drain();

  open.clock.set(open.clock.now() + 2 * SECOND_MS);
  await drain();
  open.clock.set(open.clock.now() + 60 * SECOND_MS);
  await drain();
  await close();

  expect([written.length, questions()]).toEqual([6, 0]);
  for (const message of messages) expect(await message()).toMatchObject({ status: 'queued', reason: null });
});

test('a refusal is about a line of the last seconds, not about one that the server left unanswered long before', async () => {
  const { drain, refused, close, add } = await account();
  const silent = await add('dropped without a word');
  await drain();
  open.clock.set(open.clock.now() + 20 * SECOND_MS);
  const later = await add('refused');
  await drain();

  await refused('#room', '404 no');
  await close();

  expect(await silent()).toMatchObject({ status: 'queued' });
  expect(await later()).toMatchObject({ status: 'failed', reason: '404 no' });
});

test('a line without an answer holds up the next one for two seconds only where the server does not echo', async () => {
  const { drain, close, session, written, add } = await account({ answering: Promise.resolve(false) });
  session.hasServerEcho = false;
  await add('dropped');
  await drain();
  await add('next');
  await drain();
  expect(written).toEqual(['dropped']);

  open.clock.set(open.clock.now() + 2 * SECOND_MS);
  await drain();
  await close();

  expect(written).toEqual(['dropped', 'next']);
});

test('a line waits for the answer to the question after the one before where the server does not echo', async () => {
  const answer = Promise.withResolvers<boolean>();
  const { drain, refused, close, session, written, add, questions } = await account({ answering: answer.promise });
  session.hasServerEcho = false;
  const [first, second] = [await add('one'), await add('two')];
  await drain();
  expect([written, questions()]).toEqual([['one'], 1]);
  await open.database('message_parts').where('text', 'one').update('echoed_at', open.clock.now());

  answer.resolve(true);
  await waitFor('the next is said', () => written.length === 2);
  await refused('#room', '404 no');
  await close();

  expect(await first()).toMatchObject({ status: 'echoed' });
  expect(await second()).toMatchObject({ status: 'failed', reason: '404 no' });
});

test('time alone decides about a line where the server does not echo and lines come at their pace', async () => {
  const { drain, close, session, written, add, questions } = await account();
  session.hasServerEcho = false;
  await add('first');
  await drain();
  await open.database('message_parts').where('text', 'first').update('echoed_at', open.clock.now());
  await add('second');

  open.clock.set(open.clock.now() + 2 * SECOND_MS - 100);
  await drain();
  expect([written, questions()]).toEqual([['first'], 0]);
  open.clock.set(open.clock.now() + 100);
  await drain();
  await close();

  expect([written, questions()]).toEqual([['first', 'second'], 0]);
});

test('a refusal that comes on a new connection fails no line of the old one', async () => {
  const { outbox, drain, refused, close, add } = await account();
  const message = await add('said before the loss');
  await drain();
  outbox.linkChanged();

  await refused('#room', '404 no');
  await close();

  expect(await message()).toMatchObject({ status: 'queued', reason: null });
});

test('a refusal that came before the connection was lost fails its line, and no line of the new one', async () => {
  const { outbox, drain, close, add } = await account();
  const message = await add('said before the loss');
  await drain();

  outbox.refused('#room', '404 no');
  outbox.linkChanged();
  const later = await add('said after it');
  await drain();
  await waitFor('the refusal is stored', async () => (await message())?.status === 'failed');
  await close();

  expect(await message()).toMatchObject({ status: 'failed', reason: '404 no' });
  expect(await later()).toMatchObject({ status: 'queued' });
});

test('each message whose lines wait for one disabled channel fails once, naming its first part', async () => {
  const { accountId, drain, close, written, add } = await account();
  const message = await add('one ', 'two');
  await open.store.accounts.selectChannels(accountId, []);

  await drain();
  await close();

  expect(await message()).toMatchObject({ status: 'failed', reason: 'part 1 of 2: the channel was disabled' });
  expect(written).toEqual([]);
});

test('a line whose writing the database noted without saying so is written all the same, once', async () => {
  let failures = 1;
  const { messages } = open.store;
  const { drain, close, written, add } = await account({
    store: {
      ...open.store,
      messages: {
        ...messages,
        setPartStatus: async (...of) => {
          const message = await messages.setPartStatus(...of);
          if (failures-- > 0) throw new Error('the connection was lost');
          return message;
        },
      },
    },
  });
  const message = await add('said once');

  await expect(drain()).rejects.toThrow('the connection was lost');
  expect(written).toEqual([]);
  await drain();
  await drain();
  await close();

  expect(await message()).toMatchObject({ status: 'queued' });
  expect(written).toEqual(['said once']);
});

test('a line whose session ends before it is written waits for the next one', async () => {
  let isLost = false;
  let losses = 1;
  const { messages } = open.store;
  const setPartStatus: typeof messages.setPartStatus = async (...of) => {
    const message = await messages.setPartStatus(...of);
    if (of[1] === 'queued') isLost = losses-- > 0;
    return message;
  };
  const { drain, close, written, add, restarted } = await account({
    store: { ...open.store, messages: { ...messages, setPartStatus } },
    isLost: () => isLost,
  });
  const message = await add('one ', 'two');

  await drain();
  expect(await message()).toMatchObject({ status: 'pending', reason: null });
  expect(written).toEqual([]);
  isLost = false;
  const next = restarted();
  await drain(next);
  next.close();
  await close();

  expect(await message()).toMatchObject({ status: 'queued' });
  expect(written).toEqual(['one ', 'two']);
});

test('lines that could not be looked after because the database was away are looked after when it is back', async () => {
  let isAway = true;
  const { messages } = open.store;
  const { drain, close, written, add } = await account({
    store: {
      ...open.store,
      messages: {
        ...messages,
        outstanding: async (...of) => {
          if (isAway) throw new Error('no database');
          return messages.outstanding(...of);
        },
      },
    },
  });
  await add('said later');
  await expect(drain()).rejects.toThrow('no database');

  isAway = false;
  await waitFor('it is said', () => written.length === 1);
  await close();

  expect(written).toEqual(['said later']);
});

test('a refusal that was stored without saying so does not fail the line once more when it was sent again', async () => {
  let failures = 1;
  const { messages } = open.store;
  const { outbox, drain, toldAll, close, written, add } = await account({
    store: {
      ...open.store,
      messages: {
        ...messages,
        setPartStatus: async (part, status, ...why) => {
          const message = await messages.setPartStatus(part, status, ...why);
          if (status === 'failed' && failures-- > 0) throw new Error('the connection was lost');
          return message;
        },
      },
    },
  });
  const message = await add('refused once');
  await drain();
  outbox.refused('#room', '404 no');
  await waitFor('the failure is stored', async () => (await message())?.status === 'failed');

  await renewSend(open, (await message())?.messageId ?? '', () => 'again');
  await drain();
  await toldAll();
  await close();

  expect(written).toEqual(['refused once', 'refused once']);
  expect(await message()).toMatchObject({ status: 'queued', reason: null });
});
