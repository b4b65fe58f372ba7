import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageToken, placeOf, type Question } from '../../../../src/connector/services/page-token.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';

const seal = createSeal(randomBytes(32));
const question: Question = { accountId: 'acc_1', list: 'search', channel: '#room', phrase: 'Hello' };
const place = { eventAt: Date.UTC(2026, 0, 1), row: Number.MAX_SAFE_INTEGER };
const token = pageToken(seal, question, place);

test('a token opens at its place, also when the phrase is written in other case', () => {
  expect(placeOf(seal, question, token)).toEqual(place);
  expect(placeOf(seal, { ...question, phrase: 'HELLO' }, token)).toEqual(place);
});

for (const [why, other] of [
  ['another person', { accountId: 'acc_2' }],
  ['another phrase', { phrase: 'hell' }],
  ['another channel', { channel: undefined }],
  ['another list', { list: 'recent' }],
] as const) {
  test(`a token is refused for ${why}`, () => {
    expect(() => placeOf(seal, { ...question, ...other } as Question, token)).toThrow('page_token');
  });
}

for (const forged of ['', 'x', `${token.slice(0, -4)}AAAA`, token.slice(4), 'A'.repeat(200)]) {
  test(`a token that was edited or made up is refused: ${forged.length} characters`, () => {
    expect(() => placeOf(seal, question, forged)).toThrow('page_token');
  });
}
