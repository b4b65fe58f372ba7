import { expect, test } from 'vitest';
import { plainText, shownTarget } from '../../../../src/termprog/links/shown-target.ts';

test.each([
  ['https://example.org/a?b#c', 40, 'https://example.org/a?b#c'],
  ['https://example.org/a/long/path', 25, 'https://example.org/a/lo…'],
  ['https://bank.example@evil.example/', 40, 'https://evil.example/'],
  ['https://bank.example%2f:x@evil.example:8443/a@b', 40, 'https://evil.example:8443/a@b'],
  [`https://bank.example.${'a'.repeat(80)}.evil.example/x`, 20, `…${'a'.repeat(6)}.evil.example`],
  ['mailto:a@example.org', 40, 'mailto:a@example.org'],
  ['file:///home/me/x%E2%80%AEgpj', 40, 'file:///home/me/x%E2%80%AEgpj'],
])('%s in %d characters is %s', (address, characters, shown) => {
  expect(shownTarget(address, characters)).toBe(shown);
  expect(shown.length).toBeLessThanOrEqual(characters);
});

test('a shown text has no characters that turn its direction, control the terminal, or look like other letters', () => {
  expect(plainText('a\u{202e}b\u{1b}[1mс\n')).toBe('a\\u{202e}b\\u{1b}[1m\\u{441}\\u{a}');
});
