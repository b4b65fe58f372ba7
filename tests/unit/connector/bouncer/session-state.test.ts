import { expect, test } from 'vitest';
import { SessionState } from '../../../../src/connector/bouncer/session-state.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

test('own joins, parts and kicks are followed, those of others are not', () => {
  const state = stateAfter(
    ':ada!ada@@ JOIN #a',
    ':ada!ada@@ JOIN #b',
    ':ada!ada@@ JOIN #c',
    ':bob!b@h JOIN #d',
    ':bob!b@h PART #a',
    ':ada!a@h PART #B',
    ':bob!b@h KICK #c ADA :out',
  );

  expect(state.joinedChannels).toEqual(['#a']);
});

test('a nick the network gave is the own nick from then on', () => {
  const state = stateAfter(':ada!ada@@ NICK ada_', ':bob!b@h NICK eve');

  expect(state.nick).toBe('ada_');
  expect(state.isOwn('ADA_')).toBe(true);
  expect(state.isOwn('ada')).toBe(false);
});

test('the upstream is unknown until the bouncer says so, and a loss empties the channels', () => {
  expect(stateAfter().upstream).toBeNull();
  expect(stateAfter('BOUNCER NETWORK 1 name=main;state=connected;error').upstream).toBe(true);
  expect(stateAfter('BOUNCER NETWORK 1 error=connection\\serror').upstream).toBeNull();

  const lost = stateAfter('BOUNCER NETWORK 1 state=connected', ':ada JOIN #a', 'BOUNCER NETWORK 1 state=disconnected');

  expect([lost.upstream, lost.joinedChannels]).toEqual([false, []]);
});

test('the members of each enabled channel are known from names, joins, parts, kicks, quits and new nicks', () => {
  const state = new SessionState('ada', 'main');
  state.rooms.known = ['#a', '#b'];
  for (const line of [
    ':ada JOIN #a',
    ':ada JOIN #b',
    ':ada JOIN #other',
    ':s 353 ada = #a :@bob +cleo ada',
    ':s 353 ada = #b :~&dan ada',
    ':bob!b@h JOIN #b',
    ':bob!b@h JOIN #other',
    ':cleo!c@h NICK CLIO',
    ':dan!d@h QUIT :bye',
    ':x!x@h KICK #b bob :out',
  ])
    state.take(parseLine(line));

  expect(['bob', 'clio', 'cleo', 'dan', 'ada'].map((nick) => state.rooms.sharedWith(nick))).toEqual([
    ['#a'],
    ['#a'],
    [],
    [],
    ['#a', '#b'],
  ]);
});

test('a casemapping announced late gives every channel and nick its new key', () => {
  const state = new SessionState('ada', 'main');
  state.rooms.known = ['#A[1]'];
  state.take(parseLine(':ada JOIN #a{1}'));
  state.take(parseLine(':s 353 ada = #a{1} :Bob[x]'));
  expect([state.rooms.resolve('#a{1}'), state.rooms.sharedWith('bob{x}')]).toEqual(['#A[1]', ['#A[1]']]);

  state.take(parseLine(':b 005 ada CASEMAPPING=ascii :are supported'));

  expect([state.rooms.resolve('#a{1}'), state.rooms.resolve('#a[1]')]).toEqual([undefined, '#A[1]']);
  expect(state.joinedChannels).toEqual(['#a{1}']);
});

test('a lasting refusal is distinguished from a connection that failed', () => {
  const refusal = (error: string) => stateAfter(`BOUNCER NETWORK 1 state=disconnected;error=${error}`).refusal;

  expect(refusal('registration\\serror\\s(465):\\sbanned')).toContain('465');
  expect(refusal('connection\\serror:\\srefused')).toBeUndefined();
  expect(
    stateAfter('BOUNCER NETWORK 1 error=registration\\serror\\s(464)', 'BOUNCER NETWORK 1 error').refusal,
  ).toBeDefined();
});

for (const [server, words] of [
  ['ergo', 'You are banned from this server (no agents here)'],
  ['ngircd', '"no agents here" (K-Line)'],
  ['inspircd', 'Closing link: (ada@198.51.100.7) [G-lined: no agents here]'],
  ['ngircd, which wants a password', 'Access denied: Bad password?'],
] as const) {
  test(`the last words of ${server} to a person it refuses are taken for a refusal that does not pass`, () => {
    const error = `error=connection error: failed to register: fatal server error: ${words}`.replaceAll(' ', '\\s');

    expect(stateAfter(`BOUNCER NETWORK 1 state=disconnected;${error}`).refusal).toContain(words);
  });
}

test('the last words of a server that goes down or kills one connection are not such a refusal', () => {
  for (const words of ['Server\\sshutting\\sdown', 'Killed\\sby\\sbob:\\sout', 'Ping\\stimeout']) {
    expect(stateAfter(`BOUNCER NETWORK 1 error=fatal\\sserver\\serror:\\s${words}`).refusal).toBeUndefined();
  }
});

test('a failed attempt is distinguished from one that a later command ended, and from the memory of an earlier one', () => {
  const failures = (...words: string[]) =>
    stateAfter(...words.map((each) => `BOUNCER NETWORK 1 ${each.replaceAll(' ', '\\s')}`)).failedAttempts;

  expect(failures('error=connection error: failed to connect: dial tcp: connection refused')).toBe(1);
  expect(failures('error=x', 'error', 'error=x')).toBe(2);
  expect(failures('name=main;state=disconnected;error=connection error: timeout')).toBe(0);
  for (const words of ['dial tcp: operation was canceled', 'read tcp: use of closed network connection']) {
    const ended = `error=connection error: failed to register: ${words}`;
    expect(failures(ended)).toBe(0);
    expect(stateAfter(`BOUNCER NETWORK 1 ${ended.replaceAll(' ', '\\s')}`).error).toBeUndefined();
  }
});

test('an own line that comes back without an id of the server shows who echoes', () => {
  const hasServerEcho = (line: string) => stateAfter(line).hasServerEcho;

  expect(hasServerEcho('@msgid=1 :ada!a@h PRIVMSG #room :mine')).toBe(true);
  expect(hasServerEcho(':bob!b@h PRIVMSG #room :of another')).toBe(true);
  expect(hasServerEcho(':ada!ada PRIVMSG #room :mine')).toBe(false);
});

test('the reason why the account is not in a known channel is kept until it joins', () => {
  const state = new SessionState('ada', 'main');
  state.rooms.known = ['#Room', '#ops'];
  for (const line of [
    ':s 474 ada #room :Cannot join channel (+b)',
    ':s 473 ada #elsewhere :Cannot join channel (+i)',
    ':ada JOIN #ops',
    ':s 477 ada #ops :You must identify to speak',
  ])
    state.take(parseLine(line));
  expect(['#Room', '#ops', '#elsewhere'].map((channel) => state.notJoinedReason(channel))).toEqual([
    '474 Cannot join channel (+b)',
    undefined,
    undefined,
  ]);

  state.take(parseLine(':bob!b@h KICK #ops ada :out'));
  state.take(parseLine(':ada JOIN #room'));

  expect([state.notJoinedReason('#Room'), state.notJoinedReason('#ops')]).toEqual([undefined, 'kicked by bob: out']);
});

test('a network under another name is noticed', () => {
  expect(stateAfter('BOUNCER NETWORK 1 name=main;state=connected').isRenamed).toBe(false);
  expect(stateAfter('BOUNCER NETWORK 1 name=other').isRenamed).toBe(true);
});

test('exactly the changes of the nick, the network, the joined channels and the reason for not being in one are counted', () => {
  const state = new SessionState('ada', 'main');
  state.rooms.known = ['#room'];
  const changesBy = (line: string): boolean => {
    const before = state.changes;
    state.take(parseLine(line));
    return state.changes > before;
  };

  expect(changesBy('BOUNCER NETWORK 1 state=connected')).toBe(true);
  expect(changesBy(':s 474 ada #room :Cannot join channel (+b)')).toBe(true);
  expect(changesBy(':ada JOIN #room')).toBe(true);
  expect(changesBy(':ada!a@h NICK ada_')).toBe(true);
  expect(changesBy(':ada_!a@h PART #room')).toBe(true);
  for (const line of [
    ':bob!b@h JOIN #room',
    ':bob!b@h NICK rob',
    ':bob!b@h PRIVMSG #room :hello',
    ':bob!b@h PART #room',
    ':s 353 ada_ = #room :@bob ada_',
    ':s 474 ada_ #elsewhere :Cannot join channel (+b)',
  ]) {
    expect(changesBy(line), line).toBe(false);
  }
});

test('messages of the bouncer about other networks of the person do not concern this one', () => {
  const state = stateAfter(
    ':soju 005 ada BOUNCER_NETID=7 :are supported',
    'BOUNCER NETWORK 7 name=main;state=connected;error',
    'BOUNCER NETWORK 8 name=other;state=disconnected;error=connection\\serror',
    'BOUNCER NETWORK 8 *',
  );

  expect([state.upstream, state.error, state.isRenamed]).toEqual([true, undefined, false]);
  state.take(parseLine('BOUNCER NETWORK 7 state=disconnected'));
  expect(state.upstream).toBe(false);
});

test('every way out of a known channel is reported with its reason, and every channel that was not requested', () => {
  const state = new SessionState('ada', 'main');
  state.rooms.known = ['#a', '#b', '#c', '#d'];
  const moves = (line: string) => state.take(parseLine(line));
  for (const channel of ['#a', '#b', '#c', '#d']) moves(`:ada JOIN ${channel}`);

  expect(moves(':ada PART #A :made to')).toEqual({ left: ['#a'], strayed: [] });
  expect(moves(':bob!b@h KICK #b ada')).toEqual({ left: ['#b'], strayed: [] });
  expect(moves(':irc.test RENAME #c #new :moved')).toEqual({ left: ['#c'], strayed: ['#new'] });
  expect(moves(':irc.test 470 ada #c #other :Forwarding')).toEqual({ left: ['#c'], strayed: [] });
  expect(moves(':ada JOIN #other')).toEqual({ left: [], strayed: ['#other'] });
  expect(moves(':ada PART #other')).toEqual({ left: [], strayed: [] });
  expect(moves(':bob!b@h PART #d')).toEqual({ left: [], strayed: [] });
  expect(['#a', '#b', '#c', '#d'].map((channel) => state.notJoinedReason(channel))).toEqual([
    'taken out of the channel: made to',
    'kicked by bob',
    '470 Forwarding',
    undefined,
  ]);
});

function stateAfter(...lines: string[]): SessionState {
  const state = new SessionState('ada', 'main');
  for (const line of lines) state.take(parseLine(line));
  return state;
}
