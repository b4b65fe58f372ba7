import { describe, expect, test } from 'vitest';
import { quoteWord } from '../../../../src/connector/bouncer/admin-socket.ts';
import { networksIn } from '../../../../src/connector/bouncer/listed-networks.ts';
import { createSojuLogins } from '../../../../src/connector/bouncer/logins.ts';
import { channelsIn } from '../../../../src/connector/bouncer/provision.ts';
import { sendRefusal } from '../../../../src/connector/bouncer/send-refusal.ts';
import { stateOf } from '../../../../src/connector/bouncer/soju-bouncer.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

for (const [word, quoted] of [
  ['plain', '"plain"'],
  ['two words', '"two words"'],
  ['a "quote"', '"a \\"quote\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['line\r\nQUIT', '"lineQUIT"'],
  ['', '""'],
] as const) {
  test(`the word ${JSON.stringify(word)} is quoted for the bouncer`, () => {
    expect(quoteWord(word)).toBe(quoted);
  });
}

for (const [line, state] of [
  ['main (irc+insecure://127.0.0.1:6667) [connected]: 1 channels', true],
  ['main (ircs://irc.example.org) [connected as ada_]: 0 channels', true],
  ['main (ircs://irc.example.org) [disabled]', false],
  ['main (ircs://irc.example.org) [disconnected]: connection error: [::1] refused', false],
  ['other (ircs://irc.example.org) [connected]: 1 channels', null],
] as const) {
  test(`"${line}" means ${state} for the network main`, () => {
    expect(stateOf([line], 'main')).toBe(state);
  });
}

test('the channels of a network are read from the status lines of all', () => {
  const lines = ['#room/main [joined]', '#Ops/main [parted], detached', '#third/other [joined]', 'no channels'];

  expect(channelsIn(lines, 'main')).toEqual(['#room', '#Ops']);
});

test('networks are read from their status lines, with their addresses, and whether they are enabled', () => {
  const lines = [
    'main (ircs://irc.example.org) [connected]: 1 channels',
    'other (irc+insecure://[::1]:6667) [disconnected]: connection error: (no) [route]',
    'ircs://irc.example.net [disabled]',
    'No network configured, add one with "network create".',
  ];

  expect(networksIn(lines)).toEqual([
    { name: 'main', address: 'ircs://irc.example.org', isEnabled: true },
    { name: 'other', address: 'irc+insecure://[::1]:6667', isEnabled: true },
    { name: 'ircs://irc.example.net', address: 'ircs://irc.example.net', isEnabled: false },
  ]);
});

for (const [line, refusal] of [
  [':irc.test 404 ada #room :Cannot send to channel', { channel: '#room', reason: '404 Cannot send to channel' }],
  [
    ':bouncer 400 * PRIVMSG :Disconnected from upstream network',
    { channel: undefined, reason: 'Disconnected from upstream network' },
  ],
  ['FAIL PRIVMSG INVALID_UTF8 #room :Not UTF-8', { channel: '#room', reason: 'Not UTF-8' }],
  [':irc.test 401 ada bob :No such nick', undefined],
  [':irc.test 332 ada #room :a topic', undefined],
  [':irc.test 400 ada JOIN :no', undefined],
] as const) {
  test(`"${line}" ${refusal === undefined ? 'refuses no message' : 'refuses a message'}`, () => {
    expect(sendRefusal(parseLine(line))).toEqual(refusal);
  });
}

describe('a login that is forgotten', () => {
  const LISTED = [
    'main (ircs://a.example) [connected]: 1 channels',
    'other (ircs://b.example) [disabled]: 1 channels',
    'moved (ircs://c.example) [disabled]: 1 channels',
  ];
  const user = { name: 'homeport-1', password: 'secret', network: null };

  /** Forgets a login, and gives the networks whose login soju was told to reset, and whether the present one is among them. */
  async function forget(network: { name: string; address: string }, others: string[] = []) {
    const reset: unknown[] = [];
    const logins = createSojuLogins(
      async (words) => {
        if (words.includes('status')) return LISTED;
        reset.push(words.at(-1));
        return [];
      },
      () => 'main',
    );
    const isPresent = await logins.forget(user, network, others);
    return { reset, isPresent };
  }

  test('is reset at the network of its address and name, whichever is the present one', async () => {
    expect(await forget({ name: 'main', address: 'ircs://a.example' })).toEqual({ reset: ['main'], isPresent: true });
    expect(await forget({ name: 'other', address: 'ircs://b.example' })).toEqual({
      reset: ['other'],
      isPresent: false,
    });
  });

  test('is reset at a network that has another name by now, unless that has a login of its own', async () => {
    const before = { name: 'before', address: 'ircs://c.example' };
    expect(await forget(before)).toEqual({ reset: ['moved'], isPresent: false });
    expect(await forget(before, ['moved'])).toEqual({ reset: [], isPresent: false });
  });

  test('is not reset at a network of its name that has another address by now', async () => {
    expect(await forget({ name: 'main', address: 'ircs://z.example' })).toEqual({ reset: [], isPresent: false });
  });
});
