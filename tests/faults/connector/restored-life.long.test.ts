import { join } from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { runBackupCommand } from '../../harness/backup.ts';
import { testWithStack } from '../../harness/fixtures/stack.ts';
import { textsOf, unreadOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn, informationOf } from '../../harness/person.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { challengeIn, startReceiver } from '../../harness/webhook-receiver.ts';

const test = testWithStack({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

test('after a restore no mention is delivered twice, none is lost from what is unread, and new ones wake the agent', async ({
  stack,
}) => {
  await using agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  const { sessionId } = await informationOf(agent);
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await using receiver = await startReceiver();
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  const heard = () => receiver.events().map(({ data }) => String(data['text']));
  const isHeard = (text: string) => waitFor(`${text} is delivered`, () => heard().includes(text));

  bob.say('#room', 'ada: delivered before the backup');
  await isHeard('ada: delivered before the backup');
  // This one waits in the backup, and is delivered soon after it.
  receiver.answer = ({ body }, response) => {
    if (challengeIn(body) !== undefined) return undefined;
    response.writeHead(503).end();
    return 'answered';
  };
  const tried = receiver.requests.length;
  bob.say('#room', 'ada: waits in the backup');
  await waitFor('it was tried', () => receiver.requests.length > tried);
  const attempts = receiver.requests.length;
  const to = join(stack.folder, 'backup');
  expect(await runBackupCommand(stack.configFile, 'backup', '--to', to)).toMatchObject({ exitCode: 0, stderr: '' });
  receiver.answer = () => undefined;
  bob.say('#room', 'ada: said after the backup');
  await isHeard('ada: said after the backup');
  await waitFor('what waited is delivered', () => receiver.requests.length > attempts + 1);
  await unreadOf(agent, sessionId);

  const serving = await runBackupCommand(stack.configFile, 'restore', '--from', to, '--replace');
  expect(serving.exitCode).not.toBe(0);
  expect(serving.stderr).toMatch(/uses it.*: stop every connector .* nothing was changed$/);
  await stack.kill('connector');
  const before = receiver.requests.length;
  expect(await runBackupCommand(stack.configFile, 'restore', '--from', to, '--replace')).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  await stack.revive('connector');
  await waitFor('what came after the backup is there again', async () =>
    (await textsOf(agent)).includes('ada: said after the backup'),
  );
  bob.say('#room', 'ada: said after the restore');
  await isHeard('ada: said after the restore');

  expect(
    receiver.requests.slice(before).map(({ body }) => (JSON.parse(body) as { data: { text: string } }).data.text),
  ).toEqual(['ada: said after the restore']);
  expect(new Set(await textsOf(agent)).size).toBe((await textsOf(agent)).length);
  const unread = (await unreadOf(agent, sessionId)).map(({ text }) => text);
  expect(unread).toEqual(expect.arrayContaining(['ada: said after the backup', 'ada: said after the restore']));
});
