import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from '../../../../src/connector/outbound/public-address.ts';

for (const [what, address] of [
  ['this machine', '127.0.0.1'],
  ['another name of this machine', '127.255.255.254'],
  ['no address', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['a private network', '10.0.0.1'],
  ['a private network', '172.16.0.1'],
  ['a private network', '172.31.255.255'],
  ['a private network', '192.168.1.1'],
  ['the metadata of a cloud', '169.254.169.254'],
  ['the network of a provider', '100.64.0.1'],
  ['protocol assignments', '192.0.0.8'],
  ['an example', '192.0.2.1'],
  ['an example', '198.51.100.1'],
  ['an example', '203.0.113.1'],
  ['a benchmark', '198.18.0.1'],
  ['a group', '224.0.0.1'],
  ['a future use', '240.0.0.1'],
  ['everybody', '255.255.255.255'],
  ['this machine', '::1'],
  ['no address', '::'],
  ['this machine as IPv6', '::ffff:127.0.0.1'],
  ['this machine as IPv6, in figures', '::ffff:7f00:1'],
  ['a private network as IPv6', '::ffff:10.0.0.1'],
  ['this machine in the old way', '::127.0.0.1'],
  ['a private network by a translator', '64:ff9b::a00:1'],
  ['a private network by a translator of the network', '64:ff9b:1::a00:1'],
  ['an IPv4 address by 6to4', '2002:7f00:1::'],
  ['an IPv4 address by Teredo', '2001:0:7f00:1::1'],
  ['a link', 'fe80::1'],
  ['a unique local network', 'fd00::1'],
  ['a site', 'fec0::1'],
  ['an example', '2001:db8::1'],
  ['an example', '3fff::1'],
  ['the discard prefix', '100::1'],
  ['segment routing', '5f00::1'],
  ['a group', 'ff02::1'],
  ['nothing', ''],
  ['a name', 'localhost'],
] as const) {
  test(`${address} is not public: it is ${what}`, () => {
    expect(isPublicAddress(address)).toBe(false);
  });
}

for (const address of ['1.1.1.1', '93.184.215.14', '::ffff:93.184.215.14', '2606:4700::1111', '2a00:1450:4001::8a']) {
  test(`${address} is public`, () => {
    expect(isPublicAddress(address)).toBe(true);
  });
}

test('only addresses of this machine are loopback', () => {
  const addresses = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.0.0.1', '::', '0.0.0.0', 'localhost'];

  expect(addresses.filter(isLoopbackAddress)).toEqual(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']);
});
