import { expect, test } from 'vitest';
import { judgeLine } from '../../../../src/connector/bouncer/judge-line.ts';
import { SessionState } from '../../../../src/connector/bouncer/session-state.ts';
import { announcedCasemapping } from '../../../../src/connector/domain/casemapping.ts';
import { resolveChannel } from '../../../../src/connector/domain/channel.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

const KNOWN = ['#a[1]', '#A{1}', '#Room~', '#plain'];
const WRITTEN = ['#a[1]', '#A[1]', '#a{1}', '#A{1}', '#room~', '#ROOM^', '#PLAIN', '#another'];

const announce = (state: SessionState, value: string) =>
  state.take(parseLine(`:b 005 ada CASEMAPPING=${value} :are supported`));

for (const sequence of [
  ['ascii'],
  ['rfc1459'],
  ['rfc1459', 'ascii'],
  ['ascii', 'rfc1459', 'ascii'],
  ['rfc1459-strict', 'precis', 'rfc1459'],
]) {
  test(`after ${sequence.join(', then ')} a line is of the channel that a tool would find by the same name`, () => {
    const state = open();
    for (const value of sequence) announce(state, value);
    const casemapping = announcedCasemapping(sequence.at(-1) ?? '');

    for (const written of WRITTEN) {
      const expected = resolveChannel(written, KNOWN, casemapping);
      expect(state.rooms.resolve(written), written).toBe(expected);
      expect(channelsOf(state, `:bob!b@h PRIVMSG ${written} :hello`), written).toEqual(
        expected === undefined ? [] : [expected],
      );
    }
  });
}

test('two enabled channels that differ in braces are both followed on a network where they are two', () => {
  const state = open();
  announce(state, 'ascii');
  for (const channel of ['#a[1]', '#A{1}']) {
    state.take(parseLine(`:ada[m] JOIN ${channel}`));
    state.take(parseLine(`:s 353 ada[m] = ${channel} :bob`));
  }

  expect(state.joinedChannels).toEqual(['#a[1]', '#A{1}']);
  expect(channelsOf(state, ':bob!b@h QUIT :bye')).toEqual(['#a[1]', '#A{1}']);
  expect(channelsOf(state, ':bob!b@h PRIVMSG #a[1] :one')).toEqual(['#a[1]']);
  expect(channelsOf(state, ':bob!b@h PRIVMSG #a{1} :two')).toEqual(['#A{1}']);
});

test('where they are one room of the network, what happens there is stored once, under the spelling that the network has', () => {
  for (const [spelling, stored] of [
    ['#A[1]', '#a[1]'],
    ['#a{1}', '#A{1}'],
  ] as const) {
    const state = open();
    announce(state, 'rfc1459');
    state.take(parseLine(`:ada[m] JOIN ${spelling}`));
    state.take(parseLine(`:s 353 ada[m] = ${spelling} :bob`));

    expect(state.joinedChannels).toEqual([stored]);
    expect(channelsOf(state, ':bob!b@h QUIT :bye')).toEqual([stored]);
    expect(channelsOf(state, `:bob!b@h PRIVMSG ${spelling} :hello`)).toEqual([stored]);
  }
});

test('a network that announces no casemapping any more has the usual one', () => {
  const state = open(['#a[1]']);
  announce(state, 'ascii');
  state.take(parseLine(':b 005 ada -CASEMAPPING :are supported'));

  expect([state.casemapping, state.rooms.resolve('#a{1}'), state.isOwn('ADA{M}')]).toEqual(['rfc1459', '#a[1]', true]);
});

function open(known: readonly string[] = KNOWN): SessionState {
  const state = new SessionState('ada[m]', 'main');
  state.rooms.known = known;
  return state;
}

/** The channels in which a line is stored. */
function channelsOf(state: SessionState, line: string): string[] {
  return judgeLine(parseLine(`@time=2026-01-01T00:00:00.000Z ${line}`), { state, network: 'main', hasTags: true }).map(
    (each) => each.line.channel,
  );
}
