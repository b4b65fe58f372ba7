import { afterEach, expect } from 'vitest';
import { sending, testWithSending } from '../../harness/fixtures/sending.ts';
import { historyOf } from '../../harness/history.ts';
import { refuseLines } from '../../harness/irc-proxy.ts';
import { connected } from '../../harness/person.ts';
import { becomes, heardFrom, longText, type Sent, say, statusOf } from '../../harness/sending.ts';

const test = testWithSending({ isUnpaced: true });

test.beforeAll(async () => {
  await connected(sending.ada);
});

afterEach(() => {
  sending.proxy.fromServer = (line) => line;
  sending.proxy.toServer = sending.passOn;
});

const entriesOf = async ({ messageId }: Sent) =>
  (await historyOf(sending.ada, '#room')).filter((entry) => entry.messageId === messageId);

const textsIn = async (): Promise<string[]> =>
  (await historyOf(sending.ada, '#room')).filter(({ kind }) => kind === 'message').map(({ text }) => text);

test('a line in which the server replaces a word is echoed, has that word in its one entry, and is not said again', async () => {
  await becomes(sending.ada, await say(sending.ada, 'one whose tag comes back'), 'echoed');
  changeWords((line) => line.replace('darn', '****'));

  const sent = await say(sending.ada, 'darn it', 'key-of-it');
  await becomes(sending.ada, sent, 'echoed');
  const again = await say(sending.ada, 'darn it', 'key-of-it');
  await becomes(sending.ada, await say(sending.ada, 'behind it'), 'echoed');

  expect(again).toMatchObject({ messageId: sent['messageId'], status: 'echoed' });
  expect(await entriesOf(sent)).toMatchObject([{ text: '**** it', timestampSource: 'server' }]);
  expect(heardFrom(sending.bob, 'ada').filter((text) => text === 'darn it')).toHaveLength(1);
  expect((await textsIn()).filter((text) => text.endsWith(' it'))).toEqual(['**** it', 'behind it']);
});

test('lines that the server strips of blanks and capitals come back in order, each as its own', async () => {
  changeWords((line) => line.replace(/ :(Loud \d)\s+$/, (_all, said: string) => ` :${said.toLowerCase()}`));

  const sent = await Promise.all([1, 2, 3].map((n) => say(sending.ada, `Loud ${n}  `)));
  for (const each of sent) await becomes(sending.ada, each, 'echoed');

  const texts = await Promise.all(sent.map(async (each) => (await entriesOf(each)).map(({ text }) => text)));
  expect(texts.flat().toSorted()).toEqual(['loud 1', 'loud 2', 'loud 3']);
});

test('a split line of which the server changes one part is one entry with what others saw', async () => {
  changeWords((line) => line.replace('S00', '000'));
  const text = longText('S');

  const sent = await say(sending.ada, text);
  await becomes(sending.ada, sent, 'echoed');

  expect((await entriesOf(sent)).map((entry) => entry.text)).toEqual([text.replace('S00', '000')]);
});

test('a line whose echo does not come is not failed; only what refuses it fails it, and then its key says it again', async () => {
  sending.proxy.toServer = (line) => (line.includes('without a word') ? undefined : sending.passOn(line));
  const silent = await say(sending.ada, 'dropped without a word', 'key-silent');
  await becomes(sending.ada, await say(sending.ada, 'heard'), 'echoed');
  sending.proxy.toServer = sending.passOn;
  const end = refuseLines(
    sending.proxy,
    (line) => line.includes('refused once'),
    ':irc.test 404 ada #room :Cannot send to channel',
  );
  const refused = await say(sending.ada, 'refused once', 'key-refused');
  await becomes(sending.ada, refused, 'failed');
  end();

  await say(sending.ada, 'dropped without a word', 'key-silent');
  await becomes(sending.ada, await say(sending.ada, 'refused once', 'key-refused'), 'echoed');

  expect(await statusOf(sending.ada, silent)).toMatchObject({ status: 'queued', reason: null });
  expect(heardFrom(sending.bob, 'ada')).not.toContain('dropped without a word');
  expect(heardFrom(sending.bob, 'ada').filter((text) => text === 'refused once')).toHaveLength(1);
});

/** Has the server pass changed words on, to all clients and in its echoes, without the tags of clients. */
function changeWords(change: (line: string) => string): void {
  sending.proxy.fromServer = (line) =>
    line.includes('PRIVMSG #room') ? change(line.replace(/\+homeport\/id=[^; ]*;?/, '').replace(/; /, ' ')) : line;
}
