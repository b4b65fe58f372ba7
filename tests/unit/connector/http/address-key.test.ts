import { expect, test } from 'vitest';
import { addressKey } from '../../../../src/connector/http/address-key.ts';

test('an IPv4 address is a customer, however it is written', () => {
  for (const written of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207']) {
    expect(addressKey(written)).toBe('192.0.2.7');
  }
});

test('the addresses of an IPv6 customer are one, those of the next customer another', () => {
  const key = addressKey('2001:db8:1:2200::1');

  expect(key).toBe('2001:db8:1:2200::/56');
  for (const written of [
    '2001:db8:1:22ff:ffff:ffff:ffff:ffff',
    '2001:0DB8:0001:2200:0000::',
    '2001:db8:1:2233::5%eth0',
  ]) {
    expect(addressKey(written)).toBe(key);
  }
  expect(addressKey('2001:db8:1:2300::1')).not.toBe(key);
  expect(addressKey('::1')).toBe('0:0:0:0::/56');
});

test('a text that is no address stands for itself', () => {
  for (const text of ['', 'unix:', 'a.example.org', '999.1.1.1']) expect(addressKey(text)).toBe(text);
});
