import { expect, test } from 'vitest';
import { captureLine } from '../../../../src/connector/bouncer/captured-line.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

const TIME = '@time=2026-11-20T23:50:33.061Z';
const captureAll = (line: string) => captureLine(parseLine(line), 'main', '#room');
const capture = (line: string) => captureAll(line)[0];

for (const [line, kind, text, target] of [
  [`${TIME} :bob!~u@h PRIVMSG #room :hello there`, 'message', 'hello there', null],
  [`${TIME} :bob!~u@h PRIVMSG #room :\u0001ACTION waves twice\u0001`, 'action', 'waves twice', null],
  [`${TIME} :bob!~u@h NOTICE #room :from a bot`, 'message', 'from a bot', null],
  [`${TIME} :bob!~u@h QUIT :bye`, 'part', 'bye', null],
  [`${TIME} :bob!~u@h JOIN #room`, 'join', '', null],
  [`${TIME} :bob!~u@h PART #room :later`, 'part', 'later', null],
  [`${TIME} :bob!~u@h KICK #room ada :rude`, 'kick', 'rude', 'ada'],
  [`${TIME} :bob!~u@h TOPIC #room :new`, 'topic', 'new', null],
  [`${TIME} :bob!~u@h MODE #room +ov ada bob`, 'mode', '+ov ada bob', null],
] as const) {
  test(`"${line.slice(TIME.length + 1)}" is an entry of kind ${kind}`, () => {
    expect(capture(line)).toMatchObject({
      channel: '#room',
      sender: 'bob',
      kind,
      text,
      target,
      serverAt: 1795218633061,
    });
  });
}

for (const [why, line] of [
  ['a request between programs', `${TIME} :bob!~u@h PRIVMSG #room :\u0001VERSION\u0001`],
  ['a join the bouncer makes up when a client attaches', ':ada!ada@@ JOIN #room'],
  ['an answer between programs', `${TIME} :bob!~u@h NOTICE #room :\u0001VERSION x\u0001`],
  ['a reaction', `${TIME} :bob!~u@h TAGMSG #room`],
] as const) {
  test(`${why} is not an entry`, () => {
    expect(capture(line)).toBeUndefined();
  });
}

test('a message id decides which lines are the same, with any other differences', () => {
  const one = capture('@msgid=m1;time=2026-11-20T23:50:33.061Z :bob!~u@h PRIVMSG #room :hi');
  const same = capture('@time=2026-11-20T23:50:33.000Z;msgid=m1 :bob PRIVMSG #Room hi');
  const other = capture('@msgid=m2;time=2026-11-20T23:50:33.061Z :bob!~u@h PRIVMSG #room :hi');

  expect(same?.fingerprintBase).toBe(one?.fingerprintBase);
  expect(other?.fingerprintBase).not.toBe(one?.fingerprintBase);
  expect(one?.isExact).toBe(true);
});

for (const tag of ['msgid', 'msgid=', '+draft/reply=x;msgid=;label=1']) {
  test(`a line whose message id is empty (@${tag}) is what it is without one, and is not every other such line`, () => {
    const without = capture(`${TIME} :bob!~u@h PRIVMSG #room :hi`);
    const empty = capture(`@${tag};${TIME.slice(1)} :bob!~u@h PRIVMSG #room :hi`);
    const other = capture(`@${tag};${TIME.slice(1)} :bob!~u@h PRIVMSG #room :something else`);

    expect(empty).toEqual(without);
    expect(other?.fingerprintBase).not.toBe(empty?.fingerprintBase);
  });
}

test('without a message id, time, sender and content decide, not how the line is written', () => {
  const one = capture(`${TIME} :bob!~u@h PRIVMSG #room hi`);
  const same = capture(`${TIME} :bob PRIVMSG #room :hi`);
  const later = capture('@time=2026-11-20T23:50:33.062Z :bob!~u@h PRIVMSG #room hi');

  expect(same?.fingerprintBase).toBe(one?.fingerprintBase);
  expect(later?.fingerprintBase).not.toBe(one?.fingerprintBase);
  expect(one?.isExact).toBe(false);
});

test('a new nick is one leaving and another coming, each an entry of its own', () => {
  const [left, came] = captureAll(`@msgid=m1;${TIME.slice(1)} :bob!~u@h NICK rob`);

  expect(left).toMatchObject({ kind: 'part', sender: 'bob', text: 'is now known as rob' });
  expect(came).toMatchObject({ kind: 'join', sender: 'rob', text: 'was known as bob' });
  expect(left?.fingerprintBase).not.toBe(came?.fingerprintBase);
});

test('NUL is left out of everything that is stored', () => {
  const line = { tags: {}, sender: 'b\0ob', command: 'PRIVMSG', params: ['#room', 'a\0b'] };

  expect(captureLine(line, 'main', '#room')).toMatchObject([{ sender: 'bob', text: 'ab' }]);
});
