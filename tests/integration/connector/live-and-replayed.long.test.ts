import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { captured, historyOf } from '../../harness/history.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { ProxiedServer } from '../../harness/proxied-server.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

/** Signs for a part of a channel that ergo announces (STATUSMSG), no sign, and two at once. */
const STATUS_SIGNS = ['', '~', '&', '@', '%', '+', '@+'];
const CTCP = '\u0001';

/** Texts of a message, each with a mark of the round it is said in. */
const TEXTS: readonly ((mark: string) => string)[] = [
  (mark) => `ada: plain ${mark}`,
  (mark) => `\u0002AdA\u0002, in bold ${mark}`,
  (mark) => `of nobody ${mark}`,
  (mark) => `${CTCP}ACTION waves at ada ${mark}${CTCP}`,
  (mark) => `${CTCP}action in small letters, ada ${mark}${CTCP}`,
  (mark) => `${CTCP}VERSION ada ${mark}${CTCP}`,
];

test('a line is the same activity and the same mention whether it comes live or is replayed', async () => {
  await using server = new ProxiedServer();
  await using stack = await startConnectorStack({
    startServer: server.start,
    config: { events: { allowCallbackHosts: ['127.0.0.1'] } },
  });
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await using receiver = await startReceiver();
  await agent.call('go_online');
  await connected(agent);
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  const activity = async (mark: string) => {
    const entries = (await historyOf(agent, '#room')).filter(({ kind }) => kind !== 'gap');
    const at = entries.findIndex(({ text }) => text === `the end of ${mark}`);
    return entries
      .slice(0, at + 1)
      .map(({ kind, sender, text, target }) => [kind, sender, text.replaceAll(mark, 'MARK'), target]);
  };
  // A delivery that is under way when the connector is killed comes once more, with the same id.
  const events = () => [...new Map(receiver.events().map((event) => [event.eventId, event])).values()];
  const mentions = (mark: string) =>
    events()
      .map(({ data }) => String(data['text']))
      .filter((text) => text.includes(mark))
      .map((text) => text.replaceAll(mark, 'MARK'))
      .toSorted();
  const before = (await historyOf(agent, '#room')).length;

  for (const line of corpus('live')) server.proxy.tell(line);
  await captured(agent, 'the end of live');
  const live = (await activity('live')).slice(before);
  await stack.kill('connector');
  for (const line of corpus('missed')) server.proxy.tell(line);
  await waitFor('the bouncer has it', async () => (await keptBySoju(stack.folder)).includes('the end of missed'));
  await stack.revive('connector');
  await captured(agent, 'the end of missed');
  const missed = (await activity('missed')).slice(before + live.length);

  // Both exclude the present state that the bouncer describes to a client that attaches.
  expect(missed).toEqual(live);
  expect(live.filter(([, sender]) => sender === 'bob').length).toBeGreaterThan(STATUS_SIGNS.length * 2);
  expect(live).toContainEqual(['message', 'bob', 'ada: plain MARK @PRIVMSG#room', null]);
  await waitFor('as many mentions are delivered', () => mentions('missed').length === mentions('live').length);
  expect(mentions('missed')).toEqual(mentions('live'));
  expect(mentions('live')).toContain('waves at ada MARK +PRIVMSG#ROOM');
});

/** Returns lines of every kind that a server may send, as of one round; `n` distinguishes them. */
function corpus(mark: string): string[] {
  const said = STATUS_SIGNS.flatMap((sign) =>
    ['PRIVMSG', 'NOTICE'].flatMap((command) =>
      ['#room', '#ROOM'].flatMap((channel) =>
        TEXTS.map((text, n) => {
          const tags = tagsOf(n, `${mark}${sign}${command}${channel}`);
          return `${tags}:bob!b@host ${command} ${sign}${channel} :${text(`${mark} ${sign}${command}${channel}`)}`;
        }),
      ),
    ),
  );
  return [
    ...said,
    `:bob!b@host PRIVMSG #other :ada: in another channel ${mark}`,
    `:bob!b@host PRIVMSG @ada :ada: to the person ${mark}`,
    `:ada!a@host PRIVMSG @#room :own to the operators ${mark}`,
    `:ada!a@host NOTICE #room :own notice ${mark}`,
    `:irc.test NOTICE #room :ada: from the server ${mark}`,
    `:cleo!c@host JOIN #Room`,
    `:bob!b@host TOPIC #room :about ada ${mark}`,
    `:bob!b@host MODE #room +v cleo`,
    `:bob!b@host KICK #ROOM cleo :ada said so ${mark}`,
    `:dora!d@host JOIN #room`,
    `:dora!d@host PART #room :bye ada ${mark}`,
    `:bob!b@host PRIVMSG #room :the end of ${mark}`,
  ];
}

/** Returns tags with an id, an empty one, unknown tags, or no tags; the time is the bouncer's. */
function tagsOf(n: number, id: string): string {
  const name = Buffer.from(`${id}${n}`).toString('base64url');
  return [`@msgid=${name} `, `@msgid= `, `@+unknown=1;msgid=${name} `, ''][n % 4] ?? '';
}
