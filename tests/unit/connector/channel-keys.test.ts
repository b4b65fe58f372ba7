import { expect, test } from 'vitest';
import { connectorConfig } from '../../../schemas/connector.ts';
import { withoutKeys } from '../../../src/connector/bouncer/captured-line.ts';
import { parseChannelKeys } from '../../../src/connector/channel-keys.ts';

const config = connectorConfig.parse({
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#Room', '#ops'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: { github: { clientId: 'id', clientSecretFile: '/run/secrets/idp' } },
  bouncer: {
    soju: {
      network: { name: 'main', address: 'ircs://irc.example.org' },
      otherNetworks: [{ name: 'other', address: 'ircs://irc.example.net' }],
    },
  },
});

test('a key belongs to one channel of one network, in any case in which the network writes it', () => {
  const keys = parseChannelKeys('main #room secret\r\n\n  other\t#OPS  #another,key'.replace(',', '_'), config);

  expect(keys.of('main', '#ROOM', 'rfc1459')).toBe('secret');
  expect(keys.of('other', '#ops', undefined)).toBe('#another_key');
  expect(keys.of('main', '#ops', 'ascii')).toBeUndefined();
  expect(keys.of('other', '#room', 'ascii')).toBeUndefined();
  expect(keys.of('unknown', '#room', 'ascii')).toBeUndefined();
});

test.each([
  ['nowhere #room hidden-word', 'the name of a configured network'],
  ['main #elsewhere hidden-word', 'a channel of ircChannels'],
  ['main #room', 'a key of 1 to 64'],
  ['main #room hidden-word hidden-word', 'a key of 1 to 64'],
  ['main #room hidden-word,hidden-word', 'a key of 1 to 64'],
  ['main #room :hidden-word', 'a key of 1 to 64'],
  [`main #room hidden-word${'x'.repeat(64)}`, 'a key of 1 to 64'],
  ['main #room hidden-wörd', 'a key of 1 to 64'],
  ['main #room one\nmain #ROOM hidden-word', 'a channel that no earlier line has'],
])('the line %j is refused by its number, and no word of it is told', (text, expected) => {
  const lines = `\n${text}`;
  const number = lines.split('\n').length;
  const refusal = (): unknown => parseChannelKeys(lines, config);

  expect(refusal).toThrow(`bouncer.soju.channelKeysFile: expected ${expected}`);
  expect(refusal).toThrow(`line ${number} of the file`);
  expect(refusal).not.toThrow(/hidden|elsewhere|nowhere/);
});

test.each([
  [['+k', 'secret'], '+k *'],
  [['-k', 'secret'], '-k *'],
  [['-k'], '-k'],
  [['+ok', 'ada', 'secret'], '+ok ada *'],
  [['+kl', 'secret', '20'], '+kl * 20'],
  [['-lk+o', 'secret', 'ada'], '-lk+o * ada'],
  [['+ntk-i', 'secret'], '+ntk-i *'],
  // A mode that takes a parameter only here.
  [['+Zk', 'unknown', 'secret'], '+Zk * *'],
  [['+kZ', 'secret', 'unknown'], '+kZ * *'],
  // Modes that have a parameter on some servers only: as many parameters as expected, and others.
  [['+zkd', 'secret', '5'], '+zkd * *'],
  [['+OkF', 'secret', 'normal'], '+OkF * *'],
  [['+akj', 'secret', '3:5'], '+akj * *'],
  [['+o', 'ada', '+k', 'secret'], '+o * * *'],
  [['+imk', 'secret'], '+imk *'],
  [['+o', 'kay'], '+o kay'],
  [['+b', '*!*@kk.example'], '+b *!*@kk.example'],
])('of the change of modes %j the history shows %j', (modes, shown) => {
  expect(withoutKeys(modes)).toBe(shown);
});
