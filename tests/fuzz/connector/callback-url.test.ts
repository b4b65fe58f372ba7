import fc from 'fast-check';
import { expect, test } from 'vitest';
import { destinationOf } from '../../../src/connector/outbound/destination.ts';
import { createHostRules } from '../../../src/connector/outbound/host-rules.ts';
import { callbackUrlFault } from '../../../src/connector/webhooks/callback-url.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const rules = createHostRules([]);
const { signal } = new AbortController();

/** One number of an address as C libraries and browsers read it. */
const part = (value: number): fc.Arbitrary<string> =>
  fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`, `0X${value.toString(16)}`);

/** An address of a network that is not public, in one of the spellings that a URL may have. */
const inner = fc
  .tuple(fc.constantFrom('127', '10', '0', '169.254', '192.168', '172.16', '100.64'), fc.nat(255), fc.nat(255))
  .chain(([network, low, lower]) => {
    const bytes = [...network.split('.').map(Number), low, lower, 1].slice(0, 4);
    while (bytes.length < 4) bytes.push(1);
    const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    return fc.oneof(
      fc.tuple(...bytes.map(part)).map((parts) => parts.join('.')),
      fc.constantFrom(
        String(number),
        `0x${number.toString(16)}`,
        `[::ffff:${bytes.join('.')}]`,
        `[64:ff9b::${bytes.join('.')}]`,
      ),
    );
  });

const escaped = (text: string): string =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

test('any text is judged, and one that may be a callback is an https address without user and fragment', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })), (text) => {
      if (callbackUrlFault(text, rules) !== undefined) return;
      const { protocol, username, password, hash } = new URL(text);
      expect([protocol, username, password, hash]).toEqual(['https:', '', '', '']);
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});

test('an address inside, in whatever spelling, has no destination', async () => {
  await fc.assert(
    fc.asyncProperty(inner, fc.boolean(), fc.constantFrom('', '.', ':8443'), async (host, isEscaped, end) => {
      const written = `https://${isEscaped && !host.startsWith('[') ? escaped(host) : host}${end === '.' && host.startsWith('[') ? '' : end}/x`;
      const url = new URL(written);
      expect(await destinationOf(url, { hosts: rules, dnsServers: ['127.0.0.1:9'] }, signal)).toEqual([]);
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});

test('a public address is its own destination', async () => {
  expect(await destinationOf(new URL('https://1.1.1.1/x'), { hosts: rules }, signal)).toEqual([
    { address: '1.1.1.1', family: 4 },
  ]);
});
