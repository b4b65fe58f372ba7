import { expect, test } from 'vitest';
import { NickRequest } from '../../../../src/connector/bouncer/nick-request.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

function afterAsking(...lines: string[]): NickRequest {
  const request = new NickRequest();
  request.asks();
  for (const line of lines) request.take(parseLine(line), line.includes(' NICK ') && line.startsWith(':ada'));
  return request;
}

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
  const refusal = parseLine(':irc.test 433 ada bob :in use');
  expect(request.take(refusal, false)).toBe(false);

  request.asks();

  expect([request.take(refusal, false), request.take(refusal, false)]).toEqual([true, false]);
});

test('whoever gets a nick, now or later, was not refused it', () => {
  const refused = ':irc.test 433 ada bob :in use';

  expect(afterAsking(':ada!a@h NICK bob', refused).refusal).toBeUndefined();
  expect(afterAsking(refused, ':ada!a@h NICK bob').refusal).toBeUndefined();
});
