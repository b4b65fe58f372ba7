import { expect, test } from 'vitest';
import { SessionState } from '../../../../src/connector/bouncer/session-state.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

function stateAfter(...lines: string[]): SessionState {
  const state = new SessionState('ada');
  for (const line of lines) state.take(parseLine(line));
  return state;
}

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

test('casemapping and pacing follow what the server announces', () => {
  const state = stateAfter(':b 005 ada CASEMAPPING=ascii soju.im/SAFERATE :are supported');

  expect([state.casemapping, state.isUnpaced]).toEqual(['ascii', true]);
});
