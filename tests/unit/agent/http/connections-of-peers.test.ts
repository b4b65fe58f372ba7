import { expect, test } from 'vitest';
import { peerOf } from '../../../../src/agent/http/connections-of-peers.ts';

test('addresses of one IPv6 network are one peer, and an IPv4 address is one in both of its forms', () => {
  expect(peerOf('10.0.0.1')).toBe('10.0.0.1');
  expect(peerOf('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(peerOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(peerOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(peerOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(peerOf('::1')).not.toBe(peerOf('::2'));
  expect(peerOf('fe80::1%eth0')).not.toBe(peerOf('fe80::2%eth0'));
});
