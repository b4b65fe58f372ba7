import { expect, test } from 'vitest';
import { openableAddress } from '../../../../src/termprog/links/link-address.ts';

for (const [address, opened] of [
  ['https://example.org/ä b', 'https://example.org/%C3%A4%20b'],
  ['mailto:somebody@example.org', 'mailto:somebody@example.org'],
  ['mailto:a@example.org?subject=attach', 'mailto:a@example.org?subject=attach'],
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
