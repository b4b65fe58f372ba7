import { expect, test } from 'vitest';
import { NickRequest } from '../../../../src/connector/bouncer/nick-request.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

for (const [line, refusal] of [
  [':irc.test 433 ada bob :Nickname is already in use', '433 Nickname is already in use'],
  [':irc.test 432 ada bob :Erroneous nickname', '432 Erroneous nickname'],
  [':irc.test 438 ada bob :Nick change too fast', '438 Nick change too fast'],
  [':irc.test 447 ada #room :Can not change nickname while on #room', '447 Can not change nickname while on #room'],
  [':irc.test 437 ada bob :Nick is temporarily unavailable', '437 Nick is temporarily unavailable'],
  [':irc.test 437 ada #room :Channel is temporarily unavailable', undefined],
  [':soju.test 400 ada NICK :Failed to update nick', '400 Failed to update nick'],
  [':soju.test 400 ada PRIVMSG :Disconnected', undefined],
  ['FAIL NICK RESERVED bob :This nick is reserved', 'FAIL This nick is reserved'],
  [':irc.test 474 ada #room :Cannot join channel', undefined],
] as const) {
  test(`"${line}" ${refusal === undefined ? 'refuses no nick' : 'refuses the nick that was asked for'}`, () => {
    expect(afterAsking(line).refusal).toBe(refusal);
  });
}

test('a refusal counts once, and only after a question', () => {
  const request = new NickRequest();
  const refusal = ':irc.test 433 ada bob :in use';
  expect(hear(request, refusal)).toBe(false);

  request.asks('bob');

  expect([hear(request, refusal), hear(request, refusal)]).toEqual([true, false]);
});

test('a nick that is granted, before or after a refusal, counts as not refused', () => {
  const refused = ':irc.test 433 ada bob :in use';

  expect(afterAsking(':ada!a@h NICK bob', refused).refusal).toBeUndefined();
  expect(afterAsking(refused, ':ada!a@h NICK bob').refusal).toBeUndefined();
});

/** Two questions before an answer, and what comes then. */
function afterAskingTwice(first: string, second: string, ...lines: string[]): NickRequest {
  const request = new NickRequest();
  request.asks(first);
  request.asks(second);
  for (const line of lines) hear(request, line);
  return request;
}

test('the refusal of a nick does not count for the one that was asked for after it', () => {
  const [refused, given] = [':irc.test 433 ada taken :in use', ':ada!a@h NICK free'];
  expect(afterAskingTwice('taken', 'free', refused).refusal).toBeUndefined();
  expect(afterAskingTwice('taken', 'free', refused, given).refusal).toBeUndefined();
  expect(afterAskingTwice('free', 'taken', refused).refusal).toBe('433 in use');
  expect(afterAskingTwice('free', 'taken', given, refused).refusal).toBe('433 in use');
});

test('a refusal that names no nick is about the oldest that was not answered', () => {
  const refused = ':irc.test 447 ada #room :Can not change nickname';

  expect(afterAskingTwice('one', 'two', refused).refusal).toBeUndefined();
  expect(afterAskingTwice('one', 'two', refused, refused).refusal).toBe('447 Can not change nickname');
});

test('a nick that was not requested, or that the server has shortened, leaves no request open', () => {
  const refused = ':irc.test 433 ada bob :in use';

  expect(afterAskingTwice('one', 'two', ':ada!a@h NICK Guest7', refused).refusal).toBeUndefined();
});

/** Passes on a line that the server says to ada. */
function hear(request: NickRequest, text: string): boolean {
  const line = parseLine(text);
  return request.take(line, line.command === 'NICK' ? line.params[0] : undefined);
}

function afterAsking(...lines: string[]): NickRequest {
  const request = new NickRequest();
  request.asks('bob');
  for (const line of lines) hear(request, line);
  return request;
}
