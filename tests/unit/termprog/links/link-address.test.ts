import { expect, test } from 'vitest';
import { openableAddress } from '../../../../src/termprog/links/link-address.ts';

for (const [address, opened] of [
  ['https://example.org/ä b', 'https://example.org/%C3%A4%20b'],
  ['mailto:somebody@example.org', 'mailto:somebody@example.org'],
  ['mailto:a@example.org?subject=attach', 'mailto:a@example.org?subject=attach'],
  ['mailto:', 'mailto:'],
  [
    'mailto:a+b@example.org,c@example.org?cc=d+e@example.org',
    'mailto:a+b@example.org,c@example.org?cc=d+e@example.org',
  ],
  ['mailto:J%C3%BCrgen@example.org?subject=%C3%A4%26b', 'mailto:J%C3%BCrgen@example.org?subject=%C3%A4%26b'],
  [
    "mailto:a@example.org?subject=hello, attachment='file:///etc/passwd'",
    'mailto:a@example.org?subject=hello%2C%20attachment%3D%27file%3A%2F%2F%2Fetc%2Fpasswd%27',
  ],
  ['mailto:a@example.org?body=b,attachment=/etc/passwd', 'mailto:a@example.org?body=b%2Cattachment%3D%2Fetc%2Fpasswd'],
  ['mailto:* (b)@example.org', 'mailto:%2A%20%28b%29@example.org'],
  ['ftp://example.org/a', 'ftp://example.org/a'],
  ['file:///tmp/a%20b', 'file:///tmp/a%20b'],
  ['file://here/tmp/a', 'file:///tmp/a'],
  ['file://LOCALHOST/tmp/%3fa', 'file:///tmp/%3Fa'],
] as const) {
  test(`the desktop is given ${opened} for ${address}`, () => {
    expect(openableAddress(address, 'here')).toEqual({ address: opened });
  });
}

for (const address of [
  'javascript:alert(1)',
  'mailto:a@example.org?subject=b&attach=/etc/passwd',
  'mailto:a@example.org?%41ttachment=/etc/passwd',
  "mailto:a@example.org',attachment='file:///etc/passwd",
  'mailto:a@example.org%27,attachment=%27file:///etc/passwd',
  'mailto:a\\x27,attachment=\\x27file:///etc/passwd',
  'mailto:a@example.org?cc=b%27,attachment=%27file:///etc/passwd',
  'mailto:%ff@example.org',
  'data:text/html,x',
  'file://there/tmp/a',
  'file:///tmp/%00',
  'file:///tmp/%ff',
  'file:tmp',
  'help',
  '--help',
  '/bin/sh',
  '',
]) {
  test(`"${address}" is refused`, () => {
    expect(openableAddress(address, 'here')).toHaveProperty('refusal');
  });
}

test('an address that is longer than what is opened says so', () => {
  const long = (length: number, letter = 'a'): string => `https://example.org/`.padEnd(length, letter);
  expect(openableAddress(long(65_536), 'here')).toEqual({ address: long(65_536) });
  expect(openableAddress(long(65_537), 'here')).toEqual({ refusal: 'it has more than 65536 characters' });
  expect(openableAddress(long(65_000, 'ä'), 'here')).toEqual({
    refusal: expect.stringMatching(/^it would have \d+ bytes/),
  });
});
