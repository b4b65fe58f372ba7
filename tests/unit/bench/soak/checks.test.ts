import { expect, test } from 'vitest';
import { check } from '../../../../bench/soak/checks/index.ts';
import { longestGaps } from '../../../../bench/soak/checks/sessions.ts';
import type {
  AccountSeen,
  Entry,
  HeardLine,
  Movement,
  Observations,
  SeenEvent,
  SeenSend,
  ShownEntry,
} from '../../../../bench/soak/observations.ts';

const CHANNEL = '#room';
const SECOND = 1_000;
/** When all was healed. */
const QUIET = 1_000 * SECOND;

const shown = (of: Entry, at: number, isInOrder = true): ShownEntry => ({ ...of, at, isInOrder });

const one = entry('e1', 'line 1');
const two = entry('e2', 'line 2');
const call = entry('e3', 'line 3, ada: look');
const own = entry('e4', 'said by ada', 'ada');

const send: SeenSend = {
  ...{ key: 'ada-0', channel: CHANNEL, text: 'said by ada', askedAt: 400 * SECOND },
  ...{ messageId: 'm1', messageIds: ['m1'], status: 'echoed', failure: undefined },
};

const ada: AccountSeen = {
  name: 'ada',
  kept: [one, two, call, own],
  history: [one, two, call, own],
  shown: [shown(one, 11 * SECOND), shown(two, 21 * SECOND), shown(call, 31 * SECOND)],
  acknowledged: [
    { channel: CHANNEL, entryId: 'e1', entryIds: ['e1'], answeredAt: 12 * SECOND },
    { channel: CHANNEL, entryId: 'e2', entryIds: ['e2'], answeredAt: undefined },
    { channel: CHANNEL, entryId: 'e3', entryIds: ['e3'], answeredAt: 32 * SECOND },
  ],
  positions: [
    { channel: CHANNEL, entryId: null, at: 0 },
    { channel: CHANNEL, entryId: 'e1', at: 12 * SECOND },
    { channel: CHANNEL, entryId: 'e3', at: 32 * SECOND },
  ],
  counted: [{ channel: CHANNEL, count: 1, entryIds: ['e3'] }],
  sends: [send],
  connectedAt: [SECOND, QUIET + SECOND],
  subscribedAt: SECOND,
};

const event: SeenEvent = { account: 'ada', eventId: 'evt1', entryId: 'e3', text: call.text, at: 32 * SECOND };

/** A run in which all is as it must be. */
const RIGHT: Observations = {
  accounts: [ada],
  heard: [
    heard('line 1', 10 * SECOND),
    heard('line 2', 20 * SECOND),
    heard(call.text, 30 * SECOND),
    heard('said by ada', 401 * SECOND, 'ada'),
    heard('said by ada', 401 * SECOND, 'ada', 'speaker'),
  ],
  said: new Set(['line 1', 'line 2', call.text]),
  movements: [],
  // The next process attaches before the one that hands over ends its session.
  sessions: [
    { account: 'ada', from: SECOND, to: 100 * SECOND },
    { account: 'ada', from: 112 * SECOND, to: 506 * SECOND },
    { account: 'ada', from: 504 * SECOND, to: Number.POSITIVE_INFINITY },
  ],
  events: [event, event],
  disturbances: [
    { what: 'connector killed', touches: 'connector', from: 100 * SECOND, to: 110 * SECOND },
    { what: 'network killed', touches: 'network', from: 200 * SECOND, to: 210 * SECOND },
    { what: 'connector restarted', touches: 'connector', from: 500 * SECOND, to: 510 * SECOND },
  ],
  failures: [],
};

const withAccount = (change: Partial<AccountSeen>): Observations => ({ ...RIGHT, accounts: [{ ...ada, ...change }] });
const withSend = (change: Partial<SeenSend>, more: Partial<AccountSeen> = {}): Observations =>
  withAccount({ sends: [{ ...send, ...change }], ...more });

const kindsIn = (seen: Observations): string[] => check(seen, QUIET).map(({ kind }) => kind);

test('a run in which all is as it must be has no violation', () => {
  expect(check(RIGHT, QUIET)).toEqual([]);
});

const withoutOwn = RIGHT.heard.filter(({ sender }) => sender !== 'ada');
const keptOfOthers = [one, two, call];

/** What is wrong, the run, and the kinds of violations that it must have. */
const WRONG: readonly [string, Observations, string[]][] = [
  [
    'a line that the bouncer kept is not in the history',
    withAccount({ history: [one, call, own], shown: [shown(one, 11 * SECOND), shown(call, 31 * SECOND)] }),
    ['line lost'],
  ],
  ['a line is twice in the history', withAccount({ history: [one, two, two, call, own] }), ['line doubled']],
  [
    'a line of the history was never said',
    withAccount({ history: [one, two, call, own, entry('e9', 'ghost', 'ada')] }),
    ['line invented'],
  ],
  ['the bouncer’s store could not be read', withAccount({ kept: [] }), ['nothing to compare with']],
  ['two lines of the history are in the wrong order', withAccount({ history: [two, one, call, own] }), ['order']],
  [
    'two unread entries came in the wrong order',
    withAccount({
      shown: [shown(two, 11 * SECOND), shown(one, 21 * SECOND), shown(call, 31 * SECOND)],
      acknowledged: [],
      positions: [],
    }),
    ['order'],
  ],
  [
    'an entry is unread again after it was acknowledged',
    withAccount({ shown: [...ada.shown, shown(one, 13 * SECOND)] }),
    ['acknowledged entry unread'],
  ],
  [
    'an entry that was unread is not in the history',
    withAccount({ shown: [...ada.shown, shown(entry('e8', 'line 8'), 40 * SECOND)] }),
    ['entry vanished'],
  ],
  [
    'an entry of the history was never unread',
    withAccount({ shown: ada.shown.filter(({ entryId }) => entryId !== 'e2') }),
    ['entry never unread'],
  ],
  [
    'an unread count is too high',
    withAccount({ counted: [{ channel: CHANNEL, count: 2, entryIds: ['e3'] }] }),
    ['unread count'],
  ],
  [
    'an unread count is too low',
    withAccount({ counted: [{ channel: CHANNEL, count: 0, entryIds: ['e3'] }] }),
    ['unread count'],
  ],
  [
    'a position moves back',
    withAccount({ positions: [...ada.positions, { channel: CHANNEL, entryId: 'e1', at: 50 * SECOND }] }),
    ['position moved back'],
  ],
  [
    'a position is lost',
    withAccount({ positions: [...ada.positions, { channel: CHANNEL, entryId: null, at: 50 * SECOND }] }),
    ['position moved back'],
  ],
  [
    'a send is heard twice by one listener',
    { ...RIGHT, heard: [...RIGHT.heard, heard('said by ada', 402 * SECOND, 'ada')] },
    ['send said twice'],
  ],
  ['one key has two messages', withSend({ messageIds: ['m1', 'm2'] }), ['send under two ids']],
  [
    'a send that was refused is heard',
    withSend({ status: undefined, messageId: undefined, messageIds: [] }),
    ['refused send said'],
  ],
  [
    'a send that was reported failed is heard',
    withSend({ status: 'failed', failure: 'offline' }),
    ['failed send said'],
  ],
  [
    'a send that was reported failed comes back later',
    withSend({ status: 'echoed', failure: 'offline' }),
    ['failed send said'],
  ],
  [
    'a failed send is in another account’s bouncer, while no listener was there',
    {
      ...withSend({ status: 'failed', failure: 'offline' }, { kept: keptOfOthers }),
      heard: withoutOwn,
      accounts: [
        { ...ada, kept: keptOfOthers, sends: [{ ...send, status: 'failed', failure: 'offline' }] },
        {
          ...ada,
          name: 'eve',
          sends: [],
          counted: [],
          history: [one, two, call, own],
          shown: [...ada.shown, shown(own, 402 * SECOND)],
        },
      ],
      events: [event],
    },
    ['failed send said'],
  ],
  [
    'a send that was reported echoed was never said',
    { ...withAccount({ kept: keptOfOthers }), heard: withoutOwn },
    ['send lost'],
  ],
  ['a send is still pending', withSend({ status: 'pending' }), ['send undecided']],
  ['a send stays queued though the bouncer has its echo', withSend({ status: 'queued' }), ['send undecided']],
  ['a send stays queued in peace', withSend({ status: 'queued' }, { kept: keptOfOthers }), ['send undecided']],
  ['a mention is not delivered', { ...RIGHT, events: [] }, ['mention not delivered']],
  [
    'a mention comes under two ids',
    { ...RIGHT, events: [event, { ...event, eventId: 'evt2' }] },
    ['mention under two ids'],
  ],
  [
    'an event is about no mention',
    { ...RIGHT, events: [event, { ...event, eventId: 'evt2', entryId: 'e1' }] },
    ['event without a mention'],
  ],
  [
    'an account quits while a connector is killed',
    { ...RIGHT, movements: [moved('left', 105, '')] },
    ['departure on IRC'],
  ],
  ['an account parts in peace', { ...RIGHT, movements: [moved('left', 300)] }, ['departure on IRC']],
  ['an account comes that had not left', { ...RIGHT, movements: [moved('came', 105)] }, ['arrival on IRC']],
  [
    'an account comes twice',
    { ...RIGHT, movements: [moved('reset', 205), moved('came', 211), moved('came', 212)] },
    ['arrival on IRC'],
  ],
  [
    'a call is refused for a reason that no disturbance has',
    { ...RIGHT, failures: [failed(105, { isExpected: false })] },
    ['unexpected refusal'],
  ],
  ['a call fails in peace', { ...RIGHT, failures: [failed(160)] }, ['call failed in peace']],
  [
    'an account is without a session for a moment while a process hands over',
    withSessions([1, 505], [505.1, Number.POSITIVE_INFINITY]),
    ['session lost'],
  ],
  ['an account loses its session in peace', withSessions([1, 300], [301, Number.POSITIVE_INFINITY]), ['session lost']],
  ['an account gets no session again after a hand-over', withSessions([1, 505]), ['session lost']],
  [
    'an account quits while a process hands over',
    { ...RIGHT, movements: [moved('left', 505, '')] },
    ['departure on IRC'],
  ],
  ['an account has no session at the end', withAccount({ connectedAt: [SECOND] }), ['account without a session']],
];

for (const [what, seen, kinds] of WRONG) {
  test(`the checker notices that ${what}`, () => {
    expect([...new Set(kindsIn(seen))]).toEqual(kinds);
  });
}

/** What only looks wrong. */
const ALLOWED: readonly [string, Observations][] = [
  [
    'a batch that comes again before it is acknowledged',
    withAccount({ shown: [shown(one, 10 * SECOND), ...ada.shown] }),
  ],
  [
    'an entry that comes again because the answer to its acknowledgement was lost',
    withAccount({ shown: [...ada.shown, shown(two, 22 * SECOND)] }),
  ],
  [
    'mentions that come first in a batch of all channels',
    withAccount({
      shown: [shown(call, 11 * SECOND, false), shown(one, 11 * SECOND, false), shown(two, 11 * SECOND, false)],
      acknowledged: [],
      positions: [],
    }),
  ],
  [
    'two people’s lines of the same moment, which come in any order',
    {
      ...withAccount({
        history: [{ ...one, sender: 'eve' }, two, call, own],
        shown: ada.shown.map((each) => (each.entryId === 'e1' ? { ...each, sender: 'eve' } : each)),
      }),
      heard: [heard('line 2', 10 * SECOND), heard('line 1', 10 * SECOND + 200, 'eve'), ...RIGHT.heard.slice(2)],
    },
  ],
  [
    'a send that stays queued because the network was killed at its time',
    withSend({ status: 'queued', askedAt: 199 * SECOND }, { kept: keptOfOthers }),
  ],
  [
    'a send that failed and was not said',
    { ...withSend({ status: 'failed', failure: 'offline' }, { kept: keptOfOthers }), heard: withoutOwn },
  ],
  [
    'a departure when the network is killed, and the return of the account',
    { ...RIGHT, movements: [moved('left', 201, ''), moved('came', 230), moved('left', 215), moved('came', 240)] },
  ],
  [
    'arrivals after the server’s end, which no listener saw',
    { ...RIGHT, movements: [moved('reset', 205), moved('came', 211)] },
  ],
  [
    'a call that fails while a connector is dead, a send until the accounts are attached, and one that a limit refuses in peace',
    { ...RIGHT, failures: [failed(105), failed(140.5, { tool: 'send_message' }), failed(160, { isLimit: true })] },
  ],
  [
    'a time without a session after a process was killed, and three sessions at once',
    withSessions([1, 105], [1, 104], [118, 700], [119, Number.POSITIVE_INFINITY]),
  ],
  [
    'a call that fails, and a session that is lost, while the machine is too busy',
    {
      ...withSessions([1, 300], [301, Number.POSITIVE_INFINITY]),
      failures: [failed(300)],
      disturbances: [
        ...RIGHT.disturbances,
        { what: 'processors were too busy', touches: 'machine', from: 295 * SECOND, to: 299 * SECOND },
      ],
    },
  ],
  ['a mention of before the subscription', { ...withAccount({ subscribedAt: 50 * SECOND }), events: [] }],
];

for (const [what, seen] of ALLOWED) {
  test(`the checker lets pass ${what}`, () => {
    expect(check(seen, QUIET)).toEqual([]);
  });
}

test('a violation names its time, account and channel, and the ids of what was found', () => {
  const [found] = check(withAccount({ shown: [...ada.shown, shown(one, 13 * SECOND)] }), QUIET);
  expect(found).toEqual({
    ...{ kind: 'acknowledged entry unread', at: 13 * SECOND, account: 'ada', channel: CHANNEL },
    found: 'e1 (“line 1”) was unread again after it was acknowledged',
  });
});

test('the longest time without a session is known for each thing that was disturbed', () => {
  const gaps = longestGaps(withSessions([1, 105], [118, 300], [302, 505], [505.1, 520], [520, 2_000]), QUIET);
  expect(gaps).toEqual({
    'connector killed': { ms: 13 * SECOND, account: 'ada', at: 105 * SECOND },
    peace: { ms: 2 * SECOND, account: 'ada', at: 300 * SECOND },
    'connector restarted': { ms: 100, account: 'ada', at: 505 * SECOND },
  });
});

function entry(entryId: string, text: string, sender = 'bob'): Entry {
  return {
    ...{ entryId, text, sender },
    ...{ channel: CHANNEL, kind: 'message' },
  };
}

function heard(text: string, at: number, sender = 'bob', listener = 'listener'): HeardLine {
  return {
    ...{ text, at, sender, listener },
    channel: CHANNEL,
  };
}

function withSessions(...spans: [from: number, to: number][]): Observations {
  return {
    ...RIGHT,
    sessions: spans.map(([from, to]) => ({ account: 'ada', from: from * SECOND, to: to * SECOND })),
  };
}

function moved(kind: Movement['kind'], seconds: number, channel = CHANNEL): Movement {
  return {
    ...{ kind, channel, at: seconds * SECOND },
    ...{ nick: kind === 'reset' ? '' : 'ada', line: kind },
  };
}

function failed(seconds: number, facts: { isLimit?: boolean; isExpected?: boolean; tool?: string } = {}) {
  return {
    ...{ at: seconds * SECOND, account: 'ada', tool: 'read_history', why: 'why' },
    ...{ isLimit: false, isExpected: true, ...facts },
  };
}
