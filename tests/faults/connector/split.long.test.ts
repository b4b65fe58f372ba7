import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNgircd } from '../../../scripts/stack/ngircd.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { historyOf } from '../../harness/history.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { joinCrowd } from '../../harness/irc-crowd.ts';
import { startIrcProxy } from '../../harness/irc-proxy.ts';
import { agentIn } from '../../harness/person.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';

/** Each hears of each who comes later: on an idle machine 1,000 took 4 s to come together, 3,000 took 72 s. */
const PEOPLE = Array.from({ length: 500 }, (_, n) => `far${String(n).padStart(4, '0')}`);
const NEAR = 'near.homeport.test';
const FAR = 'far.homeport.test';
const SLOW = { timeoutMs: 40_000 };

/** These servers offer each other to compress their link, and crash theirs when hundreds connect meanwhile. */
const withoutCompression = (line: string) => line.replace(/^((?::\S+ )?PASS .*:[A-Z]*)Z/, '$1');

test('five hundred people whose server is split off and comes back are each a join, a part and a join', async () => {
  await using stack = await startConnectorStack({
    startServer: (options) => startNgircd({ ...options, name: NEAR, peer: { name: FAR } }),
  });
  await using link = await startIrcProxy(stack.ergo.port);
  link.toServer = withoutCompression;
  link.fromServer = withoutCompression;
  const far = await startNgircd({
    folder: join(stack.folder, 'far'),
    name: FAR,
    peer: { name: NEAR, port: link.port },
  });
  await using _far = { [Symbol.asyncDispose]: () => far.process.stop() };
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  using _crowd = await joinCrowd(far, PEOPLE, '#room');
  await sees(bob, 'JOIN', PEOPLE.length);

  link.reset();
  await sees(bob, 'QUIT', PEOPLE.length);
  await sees(bob, 'JOIN', 2 * PEOPLE.length);
  bob.say('#room', 'after the split');

  await waitFor(
    'the line after the split is in history',
    async () => (await historyOf(agent, '#room')).find(({ text }) => text === 'after the split'),
    SLOW,
  );
  const history = await historyOf(agent, '#room');
  const ofPerson = Map.groupBy(
    history.filter(({ sender }) => sender.startsWith('far')),
    ({ sender }) => sender,
  );
  expect([...ofPerson.keys()].toSorted()).toEqual(PEOPLE);
  for (const entries of ofPerson.values()) {
    expect(entries.map(({ kind, text }) => `${kind} ${text}`.trim())).toEqual(['join', `part ${NEAR} ${FAR}`, 'join']);
  }
});

/** Waits until a client has seen `count` lines of a kind about those who come and go. */
function sees(person: IrcClient, kind: string, count: number) {
  return waitFor(
    `${person.nick} sees ${count} of ${kind}`,
    () => person.lines.filter(({ command, sender }) => command === kind && sender.startsWith('far')).length === count,
    SLOW,
  );
}
