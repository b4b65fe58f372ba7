import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { sending, testWithSending } from '../../harness/fixtures/sending.ts';
import { historyOf } from '../../harness/history.ts';
import { refuseLines } from '../../harness/irc-proxy.ts';
import { becomes, heardFrom, longText, say } from '../../harness/sending.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

/** Half of what twelve lines wait at the usual pace: five at once, then one each two seconds. */
const HALF_PACED_MS = 7_000;

const test = testWithSending({ isUnpaced: true });

test('400 characters with joined emoji, flags and combining marks come out whole, cut between what a reader sees as one', async () => {
  const unit = '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪é̂ ';
  const text = [...unit.repeat(40)].slice(0, 399).join('').trimEnd();

  const sent = await say(sending.ada, text);
  await becomes(sending.ada, sent, 'echoed');

  const lines = heardFrom(sending.bob, 'ada').filter((line) => text.includes(line));
  expect(lines.join('')).toBe(text);
  expect(lines.length).toBeGreaterThan(1);
  const graphemes = (part: string) => [...new Intl.Segmenter('und').segment(part)].map(({ segment }) => segment);
  expect(lines.flatMap(graphemes)).toEqual(graphemes(text));
  expect(
    (await historyOf(sending.ada, '#room')).filter(({ messageId }) => messageId === sent['messageId']),
  ).toMatchObject([{ text, timestampSource: 'server' }]);
});

test('a message with one refused line fails and names that line, and the same key sends only that line', async () => {
  const text = longText('L');
  let count = 0;
  const isSecondPart = (line: string): boolean => {
    const isPart = /PRIVMSG #room .*L\d\d/.test(line);
    if (isPart) count += 1;
    return isPart && count === 2;
  };
  const end = refuseLines(sending.proxy, isSecondPart, ':irc.test 404 ada #room :Cannot send to channel');
  const sent = await say(sending.ada, text, 'key-part');
  const failed = await becomes(sending.ada, sent, 'failed');
  end();

  const again = await say(sending.ada, text, 'key-part');
  await becomes(sending.ada, again, 'echoed');

  expect(failed['reason']).toMatch(/^part 2 of 2: /);
  expect(again['messageId']).toBe(sent['messageId']);
  expect(
    heardFrom(sending.bob, 'ada')
      .filter((line) => /L\d\d/.test(line))
      .join(''),
  ).toBe(text);
});

for (const [why, mode] of [
  ['lets only some people speak', 'm'],
  ['lets only registered people speak', 'M'],
] as const) {
  test(`a channel that ${why} fails the send with the server's reason`, async () => {
    const from = sending.bob.lines.length;
    sending.bob.send('MODE', '#room', `+${mode}`);
    await waitFor('the mode is set', () => sending.bob.lines.slice(from).some(({ command }) => command === 'MODE'));

    const failed = await becomes(sending.ada, await say(sending.ada, `said while it ${why}`), 'failed');

    sending.bob.send('MODE', '#room', `-${mode}`);
    expect(failed['reason']).toMatch(/^404 /);
    expect(heardFrom(sending.bob, 'ada')).not.toContain(`said while it ${why}`);
  });
}

test('a network that is configured as unpaced gets lines without a pace', async () => {
  using waited = watchIdle();

  const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => say(sending.ada, `unpaced ${n}`)));

  for (const each of sent) await becomes(sending.ada, each, 'echoed');
  expect(waited.read()).toBeLessThan(HALF_PACED_MS);
});
