import { expect, test } from 'vitest';
import { LOGIN_MAX_CHARACTERS, parseLogin } from '../../../../src/connector/domain/login-name.ts';

for (const login of [
  'ada',
  '1st.guest',
  'ada@example.org',
  'Zoë Ågren',
  '김철수',
  '🙂',
  'x'.repeat(LOGIN_MAX_CHARACTERS),
]) {
  test(`${login.slice(0, 20)} is a login, also with spaces around it`, () => {
    expect(parseLogin(login)).toBe(login);
    expect(parseLogin(`  ${login} `)).toBe(login);
  });
}

for (const [why, written] of [
  ['empty', ''],
  ['only spaces', '   '],
  ['too long', 'x'.repeat(LOGIN_MAX_CHARACTERS + 1)],
  ['two lines', 'ada\r\nbob'],
  ['ended by a line feed', 'ada\n'],
  ['begun by a carriage return', '\rada'],
  ['divided by a line separator', 'ada\u2028bob'],
  ['one with NUL', 'ada\0'],
  ['one with half a character', 'ada\uD83D'],
  ['one with a zero-width space', 'a\u200Bda'],
  ['begun by a mark of byte order', '\uFEFFada'],
  ['ended by a word joiner', 'ada\u2060'],
  ['one with a soft hyphen', 'a\u00ADda'],
  ['one that is written from right to left', '\u202Eada'],
  ['one with a letter that is drawn as nothing', 'ada\u3164'],
  ['one with a tag', 'ada\u{E0041}'],
  ['ended by an empty pattern of braille', 'ada\u2800'],
] as const) {
  test(`a text that is ${why} is not a login`, () => {
    expect(parseLogin(written)).toBeUndefined();
  });
}
