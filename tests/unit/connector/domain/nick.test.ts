import { expect, test } from 'vitest';
import { freeNick, nickKey, nickOf, nickProblem } from '../../../../src/connector/domain/nick.ts';

for (const [why, login, nick] of [
  ['a plain login stays', 'ada', 'ada'],
  ['a digit in front gets a u', '1st', 'u1st'],
  ['a hyphen in front gets a u', '-x', 'u-x'],
  ['forbidden characters become underscores', 'ada.lovelace@x', 'ada_lovelace_x'],
  ['each forbidden character is one underscore, whatever its bytes', 'Zoë🙂', 'Zo__'],
  ['letters a nick may have stay', '[a]\\`^{|}_-', '[a]\\`^{|}_-'],
  ['31 characters are the most', 'x'.repeat(40), 'x'.repeat(31)],
  ['the prefix counts', `9${'x'.repeat(40)}`, `u9${'x'.repeat(29)}`],
  ['nothing at all is still a nick', '', 'u'],
] as const) {
  test(`nick of a login: ${why}`, () => {
    expect(nickOf(login)).toBe(nick);
  });
}

test('a nick that is taken gets a counter, within 31 characters', () => {
  const taken = new Set([nickKey('ada'), nickKey('x'.repeat(31)), nickKey(`${'x'.repeat(30)}2`)]);
  const isTaken = (key: string) => taken.has(key);

  expect(freeNick('ADA', isTaken)).toBe('ADA2');
  expect(freeNick('x'.repeat(31), isTaken)).toBe(`${'x'.repeat(30)}3`);
});

test('nicks that differ in brackets only are the same to rfc1459 networks', () => {
  expect(nickKey('A{b}')).toBe(nickKey('a[B]'));
});

for (const [why, nick, problem] of [
  ['letters, digits and signs', '[Ada]_2-`^{|}\\', undefined],
  ['31 characters', 'x'.repeat(31), undefined],
  ['32 characters', 'x'.repeat(32), 'too_long'],
  ['nothing', '', 'empty'],
  ['a blank', 'ada bot', 'bad_character'],
  ['the end of a line', 'ada\r\nQUIT', 'bad_character'],
  ['a letter of another alphabet', 'Zoë', 'bad_character'],
  ['a channel', '#room', 'bad_character'],
  ['a digit in front', '1ada', 'bad_start'],
  ['a hyphen in front', '-ada', 'bad_start'],
  ['the name of the bouncer', 'bouncerServ', 'reserved'],
] as const) {
  test(`a nick that a person chooses: ${why} ${problem === undefined ? 'will do' : 'will not do'}`, () => {
    expect(nickProblem(nick)).toBe(problem);
  });
}
