import { expect, test } from 'vitest';
import type { LoginState } from '../../../../src/connector/domain/login-at-network.ts';
import { loginCard } from '../../../../src/connector/pages/settings/cards/login-card.ts';
import type { BrowserSession } from '../../../../src/connector/ports/store.ts';
import type { IrcState } from '../../../../src/connector/services/irc-status.ts';

const NETWORK = { name: 'main', address: 'ircs://irc.example' };
const TRY = 'action="/settings/login/try"';
const QUOTE = 'The network said';

test('an accepted login that is in use can’t be tried, and shows no words of an earlier connection', () => {
  const card = cardOf('accepted', 'online', 'ada');

  expect(card).toContain('The network accepts it.');
  expect(card).not.toContain(QUOTE);
  expect(card).not.toContain(TRY);
});

test('an accepted login that is not in use on a network that is connected says why, and can be tried', () => {
  const card = cardOf('accepted', 'online');

  expect(card).toContain('did not answer it this time');
  expect(card).toContain('services are &lt;b&gt;away&lt;/b&gt;');
  expect(card).toContain(TRY);
});

test('an accepted login of a person who is offline waits for the next connection', () => {
  const card = cardOf('accepted', 'offline');

  expect(card).toContain('It is used whenever you are connected.');
  expect(card).not.toContain(TRY);
});

test('an attempt ends when its person goes offline: the card waits for no answer then', () => {
  expect(cardOf('trying', 'online')).toContain('Being tried at this moment');
  expect(cardOf('trying', 'online')).not.toContain(TRY);
  expect(cardOf('trying', 'offline')).toContain('No answer came');
  expect(cardOf('trying', 'offline')).toContain(TRY);
});

/** Writes the card of a login that the network has answered. */
function cardOf(state: LoginState, presence: IrcState, loggedInAs: string | null = null): string {
  return loginCard({
    session: { csrfToken: 'token' } as unknown as BrowserSession,
    ...{ notice: undefined, refused: undefined },
    status: { state: presence, nickInUse: null, problems: [], notJoined: {} },
    logins: {
      network: NETWORK,
      present: {
        ...{ loginId: 'login-1', network: NETWORK, kind: 'password', name: 'ada', fingerprints: undefined },
        ...{ state, words: 'services are <b>away</b>' },
      },
      ...{ others: [], loggedInAs },
    },
  }).source;
}
