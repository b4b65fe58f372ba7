import { expect, test } from 'vitest';
import { mentionsNick } from '../../../../src/connector/domain/mention.ts';

for (const [text, nick, why] of [
  ['ada: look', 'ada', 'before a colon'],
  ['hello @ADA!', 'ada', 'in other case, between marks'],
  ['ada', 'ada', 'alone'],
  ['a\u0002d\u000304,05a\u000f, see', 'ada', 'through formatting'],
  ['(Jörg)', 'jörg', 'with letters of other scripts'],
  ['hi [x]|', '[X]|', 'with brackets'],
  ['hi {x}', '[x]', 'with brackets that count as equal'],
  ["ΟΔΟΣ'Α", 'οδος', 'where its last letter has another small form in the text than alone'],
  ['Canada, ada', 'ada', 'after a word that has it inside'],
] as const) {
  test(`a nick is mentioned ${why}`, () => {
    expect(mentionsNick(text, nick)).toBe(true);
  });
}

for (const [casemapping, text, nick, isMention] of [
  ['ascii', 'ADA{M}: look', 'ada{m}', true],
  ['ascii', 'ada[m]: look', 'ada{m}', false],
  ['ascii', 'a^b', 'a~b', false],
  ['rfc1459', 'ADA[M]: look', 'ada{m}', true],
  ['rfc1459', 'a^b', 'A^B', true],
  ['rfc1459', 'x|y, hello', 'x\\y', true],
  ['rfc1459-strict', 'ada[m]: look', 'ada{m}', true],
  ['unicode', 'ÉVA: look', 'éva', true],
  ['unicode', 'ada[m]: look', 'ada{m}', false],
  // The sign of kelvin has k as its small letter in Unicode, and is no letter of a nick.
  ['ascii', '\u212aarl: look', 'karl', false],
  ['rfc1459', '\u212aarl: look', 'karl', false],
] as const) {
  test(`where nicks compare by ${casemapping}, ${text} ${isMention ? 'mentions' : 'does not mention'} ${nick}`, () => {
    expect(mentionsNick(text, nick, casemapping)).toBe(isMention);
  });
}

for (const [text, nick, why] of [
  ['ada-bot says so', 'ada', 'is the beginning of another nick'],
  ['Canada', 'ada', 'is the end of a word'],
  ['adaé', 'ada', 'is followed by a letter of another script'],
  ['ada_', 'ada', 'is an alternate nick'],
  ['', 'ada', 'has nothing to stand in'],
  ['nobody', '', 'is empty'],
] as const) {
  test(`no mention where the nick ${why}`, () => {
    expect(mentionsNick(text, nick)).toBe(false);
  });
}
