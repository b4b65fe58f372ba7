import { expect, test } from 'vitest';
import type { Entry } from '../../../../src/connector/domain/entry.ts';
import {
  callbackAddress,
  eventIdOf,
  isSaid,
  mentionsAnother,
  occurrence,
  subscriptionIdOf,
} from '../../../../src/connector/domain/mention-event.ts';
import { isWebhookSecret } from '../../../../src/connector/domain/webhook-secret.ts';

const BODY_MAX_BYTES = 256 * 1_024;

const ENTRY: Entry = {
  ...{ entryId: 'ent_1', network: 'main', channel: '#room', kind: 'message', sender: 'bob', text: 'ada: look' },
  ...{ target: null, eventAt: 1_000, observedAt: 61_000, timestampSource: 'server', messageId: null, gap: null },
};

const KEY = {
  accountId: 'acc_1',
  clientId: 'client',
  url: 'https://a.example/hook',
  filters: { keyword: 'x', sender: 'b' },
};

test('the same subscription has the same id, with its filters in any order', () => {
  const id = subscriptionIdOf(KEY);

  expect(id).toMatch(/^sub_[0-9a-f]{32}$/);
  expect(subscriptionIdOf({ ...KEY, filters: { sender: 'b', keyword: 'x' } })).toBe(id);
  const others = [
    { ...KEY, accountId: 'acc_2' },
    { ...KEY, clientId: 'other' },
    { ...KEY, url: 'https://a.example/hook?x' },
    { ...KEY, filters: { keyword: 'x' } },
    { ...KEY, filters: { keyword: 'b', sender: 'x' } },
  ];
  expect(new Set([KEY, ...others].map(subscriptionIdOf)).size).toBe(others.length + 1);
});

test('a mention has one event id for each subscription', () => {
  const ids = ['ent_1', 'ent_2'].flatMap((entry) => ['sub_1', 'sub_2'].map((id) => eventIdOf(id, entry)));

  expect(new Set(ids).size).toBe(4);
  expect(eventIdOf('sub_1', 'ent_1')).toBe(ids[0]);
});

test('spellings of one address are one address, and its query counts', () => {
  expect(callbackAddress('HTTPS://A.example:443/hook?b=1&a')).toBe('https://a.example/hook?b=1&a');
  expect(callbackAddress('no address')).toBe('no address');
});

test('an event has the text, the place, the sender and the true times', () => {
  expect(JSON.parse(occurrence('evt_1', ENTRY))).toEqual({
    eventId: 'evt_1',
    name: 'message.mention',
    timestamp: '1970-01-01T00:00:01.000Z',
    data: {
      ...{ network: 'main', channel: '#room', sender: 'bob', text: 'ada: look', kind: 'message' },
      ...{ observedAt: '1970-01-01T00:01:01.000Z', entryId: 'ent_1' },
    },
    cursor: null,
  });
});

test('a text that no line of IRC has is cut, so that its event stays within its size, and is still JSON', () => {
  const body = occurrence('evt_1', { ...ENTRY, text: `\ud83d${'\u0001'.repeat(64 * 1_024)}` });

  expect(Buffer.byteLength(body)).toBeLessThan(BODY_MAX_BYTES);
  expect(JSON.parse(body).data.text.slice(0, 2)).toBe('\ufffd\u0001');
});

test('messages and actions mention people; a kick, a topic or an own send does not', () => {
  const kinds = ['message', 'action', 'join', 'part', 'kick', 'topic', 'mode', 'gap'] as const;

  expect(kinds.filter((kind) => isSaid({ kind, messageId: null }))).toEqual(['message', 'action']);
  expect(isSaid({ kind: 'message', messageId: 'msg_1' })).toBe(false);
});

test('a line from the nick in use itself mentions no account, in any case', () => {
  expect(mentionsAnother({ sender: 'bob', text: 'Ada[1]: look' }, 'ada{1}')).toBe(true);
  expect(mentionsAnother({ sender: 'ADA[1]', text: 'Ada[1]: look' }, 'ada{1}')).toBe(false);
});

const encoded = (bytes: number): string => Buffer.alloc(bytes, 255).toString('base64');

for (const [what, secret, isGood] of [
  ['24 bytes', `whsec_${encoded(24)}`, true],
  ['64 bytes', `whsec_${encoded(64)}`, true],
  ['23 bytes', `whsec_${encoded(23)}`, false],
  ['65 bytes', `whsec_${encoded(65)}`, false],
  ['no prefix', encoded(32), false],
  ['another prefix', `whsk_${encoded(32)}`, false],
  ['no padding', `whsec_${encoded(32).replace('=', '')}`, false],
  ['characters of base64url', `whsec_${encoded(33).replaceAll('/', '_')}`, false],
  ['a line break', `whsec_${encoded(33)}\n`, false],
] as const) {
  test(`a secret with ${what} is ${isGood ? 'valid' : 'invalid'}`, () => {
    expect(isWebhookSecret(secret)).toBe(isGood);
  });
}
