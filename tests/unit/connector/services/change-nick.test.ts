import { expect } from 'vitest';
import { agent as ada, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';

const test = testWithNewAgent();

const nickTold = async (): Promise<unknown> => (await ada.call('see_account_information'))['nick'];

test('a nick changed while offline is the account’s from then on, without spaces around it', async () => {
  expect(await door.services.changeNick(ada.accountId, '  lovelace ')).toEqual({ inUse: 'lovelace', refusal: null });

  expect(await nickTold()).toBe('lovelace');
});

test('a nick changed while online is in use when the page answers', async () => {
  await ada.call('go_online');

  expect(await door.services.changeNick(ada.accountId, 'lovelace')).toEqual({ inUse: 'lovelace', refusal: null });
  expect(await nickTold()).toBe('lovelace');
});

test('a nick that the network refuses stays wanted: the one in use is reported, with the reason', async () => {
  await ada.call('go_online');
  door.bouncer.nickRefusal = '433 Nickname is already in use';

  const refused = { inUse: 'ada', refusal: '433 Nickname is already in use' };
  expect(await door.services.changeNick(ada.accountId, 'lovelace')).toEqual(refused);

  const { nick, problems } = await ada.call('see_account_information');
  expect(nick).toBe('ada');
  expect(problems).toEqual([expect.stringContaining('433 Nickname is already in use')]);
  expect((await door.services.account(ada.accountId)).nick).toBe('lovelace');
});

test('a nick of another account is refused in every spelling that a network may take for the same, and is free when it is given up', async () => {
  const bob = await door.agent('bob');
  await door.services.changeNick(bob.accountId, 'b[o]b');

  for (const nick of ['b[o]b', 'B[O]B', 'b{o}b']) {
    await expect(door.services.changeNick(ada.accountId, nick), nick).rejects.toMatchObject({ code: 'nick_taken' });
  }
  expect(await nickTold()).toBe('ada');
  await door.services.changeNick(bob.accountId, 'B{o}B');
  await door.services.changeNick(ada.accountId, 'bob');
  expect(await nickTold()).toBe('bob');
});

test('one of two people who want a nick at the same moment gets it', async () => {
  const bob = await door.agent('bob');

  const outcomes = await Promise.allSettled(
    [ada, bob].map(({ accountId }) => door.services.changeNick(accountId, 'grace')),
  );

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('an impossible nick is refused without an effect', async () => {
  for (const nick of ['', '1ada', 'ada bot', 'x'.repeat(32), 'ada\r\nQUIT', 'BouncerServ']) {
    await expect(door.services.changeNick(ada.accountId, nick), nick).rejects.toMatchObject({ code: 'nick_invalid' });
  }
  expect(await nickTold()).toBe('ada');
});

test('sends under the old nick and the new one are echoed, each once, and mentions go by the nick in use', async () => {
  await ada.call('go_online');
  await ada.call('send_message', { channel: '#room', text: 'as ada' });
  await door.services.changeNick(ada.accountId, 'lovelace');
  await ada.call('send_message', { channel: '#room', text: 'as lovelace' });
  const now = door.open.clock.now();
  for (const [index, line] of door.bouncer.written.entries()) door.bouncer.echo(line, now + index);
  door.bouncer.hear('ada: hello');
  door.bouncer.hear('lovelace: hello');

  const { sessionId } = await ada.call('see_account_information');
  const unread = async () =>
    (await ada.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId }))['entries'] as {
      text: string;
      mention: boolean;
    }[];
  await expect.poll(async () => (await unread()).length).toBe(2);
  const { entries } = await ada.call('read_history', { channel: '#room', mode: 'recent' });

  expect((await unread()).map(({ text, mention }) => [text, mention])).toEqual([
    ['ada: hello', false],
    ['lovelace: hello', true],
  ]);
  const own = (entries as { text: string; messageId: string | null; timestampSource: string }[]).filter(
    ({ messageId }) => messageId !== null,
  );
  expect(own.map(({ text, timestampSource }) => [text, timestampSource])).toEqual([
    ['as lovelace', 'server'],
    ['as ada', 'server'],
  ]);
});

test('a nick is asked for again when the account is connected anew', async () => {
  await ada.call('go_online');
  door.bouncer.nickRefusal = '438 Nick change too fast';
  await door.services.changeNick(ada.accountId, 'lovelace');
  door.bouncer.nickRefusal = undefined;

  door.bouncer.connected();

  await expect.poll(nickTold).toBe('lovelace');
});
