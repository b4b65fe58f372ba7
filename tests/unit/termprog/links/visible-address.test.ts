import { expect, test } from 'vitest';
import { addressAt } from '../../../../src/termprog/links/visible-address.ts';

for (const [text, address] of [
  ['see https://example.org/a?b=c#d now', 'https://example.org/a?b=c#d'],
  ['(https://example.org/wiki/X_(y))', 'https://example.org/wiki/X_(y)'],
  ['[text](http://example.org/a).', 'http://example.org/a'],
  ['"http://example.org/a", he said', 'http://example.org/a'],
  ['<http://example.org/>', 'http://example.org/'],
  ['really: HTTP://EXAMPLE.ORG!?', 'HTTP://EXAMPLE.ORG'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a'],
  ['│http://example.org/a│', 'http://example.org/a'],
  ['参照「https://example.org/頁」。', 'https://example.org/頁'],
  ['https://user@example.org:1/~me/a,b;c', 'https://user@example.org:1/~me/a,b;c'],
  ['http://', undefined],
  ['http://.', undefined],
  ['xhttp://example.org', undefined],
  ['ftp://example.org', undefined],
] as const) {
  test(`in ${text} the address is ${address}`, () => {
    const at = text.toLowerCase().indexOf('http') + 2;
    expect(addressAt(text, at)?.text).toBe(address);
  });
}

test('only the address at the place is found, and what belongs to the text around it has none', () => {
  const text = 'http://one.example, http://two.example.';
  expect(addressAt(text, 0)?.text).toBe('http://one.example');
  expect(addressAt(text, 25)?.text).toBe('http://two.example');
  for (const at of [18, 19, 38]) expect(addressAt(text, at)).toBeUndefined();
});

test('many brackets behind an address cost little', () => {
  const started = process.cpuUsage();
  expect(addressAt(`https://example.org/a${')'.repeat(24_000)}`, 3)?.text).toBe('https://example.org/a');
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
