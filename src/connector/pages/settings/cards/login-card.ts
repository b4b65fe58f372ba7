import type { LoginState } from '../../../domain/login-at-network.ts';
import { LOGIN_NAME_MAX_BYTES, LOGIN_PASSWORD_MAX_BYTES } from '../../../domain/login-at-network.ts';
import type { Network } from '../../../domain/network.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { IrcStatus } from '../../../services/irc-status.ts';
import type { LoginView, NetworkLogins } from '../../../services/network-login.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { textField } from '../../text-field.ts';
import { card } from '../card.ts';
import type { RefusedText } from '../refused-text.ts';
import type { Notice } from '../result-notices.ts';

export interface LoginCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  status: IrcStatus;
  logins: NetworkLogins;
  refused: RefusedText | undefined;
}

const MEANINGS: Record<LoginState, string> = {
  waiting: 'Not tried yet. It is tried when your network is connected.',
  trying: 'Being tried at this moment. Load the page again to see what has come of it.',
  accepted: 'The network accepts it. It is used whenever you are connected.',
  refused: 'The network did not accept it. It is not tried again until you say so.',
  lost: 'The network accepts it no longer. It is not tried again until you say so.',
  unanswered: 'No answer came. It is not tried again until you say so.',
  unconfirmed:
    'The network offers no SASL, so its NickServ was asked; whether it agreed can’t be seen. It is not asked again until you say so.',
  unsupported:
    'The network offers no SASL and has no NickServ command. Log in there from another IRC client, or ask its people how they know who you are.',
  cleared: 'Being forgotten.',
};

/** States without an attempt under way or a login: the person may try. */
const MAY_TRY: ReadonlySet<LoginState> = new Set([
  'waiting',
  'refused',
  'lost',
  'unanswered',
  'unconfirmed',
  'unsupported',
]);

/** The account at the IRC network, which is another one than the person signs in with here. */
export function loginCard({ session, notice, status, logins, refused }: LoginCardContent): Html {
  const { network, others, loggedInAs } = logins;
  const present = logins.present === undefined ? undefined : asShown(logins.present, status);
  const own = refused?.field === 'account' ? refused : undefined;
  const isUnused = present?.state === 'accepted' && loggedInAs === null && status.state === 'online';
  const body = html`<p class="note">Some networks let in only who has an account there. It is not the one that you sign in here with.</p>
<dl>
<dt>Network</dt><dd>${network.name} <span class="note">${network.address}</span></dd>
<dt>State</dt><dd>${stateOf(loggedInAs, status)}</dd>
${present === undefined ? NOTHING : entered(present, isUnused)}
</dl>
${present === undefined ? NOTHING : html`${certificate(present)}${choices(session, present, isUnused)}`}
${passwordForm(session, { network, present, own })}
${certificateForm(session, network, status)}
${others.length === 0 ? NOTHING : elsewhere(session, others)}`;
  return card({ id: 'network-login', title: 'Login at the network', notice, body });
}

/** An account that went offline during an attempt gets no answer any more; the next connection records that. */
const asShown = (login: LoginView, { state }: IrcStatus): LoginView =>
  login.state === 'trying' && state === 'offline' ? { ...login, state: 'unanswered' } : login;

function stateOf(loggedInAs: string | null, { state }: IrcStatus): Html {
  if (loggedInAs !== null) return html`<span class="badge">logged in</span> as <code>${loggedInAs}</code>`;
  return html`<span class="badge off">not logged in</span>${
    state === 'online' ? NOTHING : html` <span class="note">The network is not connected.</span>`
  }`;
}

const UNUSED =
  'The network has accepted it before, and did not answer it this time: its services may be away. It is sent again with your next connection.';

/** @param isUnused whether the network is connected and has accepted it before, but the person is not logged in */
const entered = ({ kind, name, state, words }: LoginView, isUnused: boolean): Html => html`<dt>Entered</dt><dd>${
  kind === 'password'
    ? html`password of <code>${name ?? ''}</code>`
    : kind === 'certificate'
      ? 'a certificate'
      : NOTHING
}
<p class="note">${
  kind === 'unreadable'
    ? 'The keys of this service were replaced, and it can’t be read any more: enter it again.'
    : isUnused
      ? UNUSED
      : MEANINGS[state]
}</p>${words === null || (state === 'accepted' && !isUnused) ? NOTHING : html`<p class="note">The network said: <q>${words}</q></p>`}</dd>`;

function certificate({ fingerprints, state }: LoginView): Html {
  if (fingerprints === undefined) return NOTHING;
  return html`${
    state === 'accepted'
      ? NOTHING
      : html`<p class="note">Add the certificate to your account at the network first, from an IRC client in which you are logged in there: most networks take <code>/msg NickServ CERT ADD</code> with one of these fingerprints, Libera.Chat the longer one.</p>`
  }
<dl>
<dt>SHA-256</dt><dd><code class="copy">${fingerprints.sha256}</code></dd>
<dt>SHA-512</dt><dd><code class="copy">${fingerprints.sha512}</code></dd>
</dl>`;
}

const choices = (session: BrowserSession, login: LoginView, isUnused: boolean): Html =>
  html`<div class="actions">${
    (MAY_TRY.has(login.state) || isUnused) && login.kind !== 'unreadable'
      ? html`<form method="post" action="/settings/login/try">${csrfField(session)}<input type="hidden" name="login" value="${login.loginId}"><button class="button quiet small">${
          login.kind === 'certificate' ? 'Log in with it' : 'Try it now'
        }</button></form>`
      : NOTHING
  }${forgetForm(session, login)}</div>`;

const forgetForm = (session: BrowserSession, { loginId }: LoginView): Html =>
  html`<form method="post" action="/settings/login/clear">${csrfField(session)}<input type="hidden" name="login" value="${loginId}"><button class="button quiet small">Forget this login</button></form>`;

/**
 * Hidden fields with the network that the person sees: the login is only for it, even if the configuration changes
 * before the form is sent.
 */
const forNetwork = ({ name, address }: Network): Html =>
  html`<input type="hidden" name="network" value="${name}"><input type="hidden" name="address" value="${address}">`;

interface PasswordForm {
  network: Network;
  present: LoginView | undefined;
  own: RefusedText | undefined;
}

const passwordForm = (session: BrowserSession, { network, present, own }: PasswordForm): Html => html`<details${
  own === undefined ? NOTHING : html` open`
}>
<summary>${present === undefined ? 'Log in with a password' : 'Enter another password'}</summary>
<form method="post" action="/settings/login" autocomplete="off">
${csrfField(session)}
${forNetwork(network)}
${textField({
  name: 'account',
  label: 'Account at the network',
  value: own?.written ?? present?.name ?? '',
  maxLength: LOGIN_NAME_MAX_BYTES,
  rule: 'Its name as the network has it; often the nick that it was registered with.',
  refused: own?.why,
})}
<div class="field">
<label for="password">Password at ${network.name}</label>
<input type="password" id="password" name="password" maxlength="${LOGIN_PASSWORD_MAX_BYTES}" required autocomplete="off" aria-describedby="password-rule">
<p class="note" id="password-rule">It goes to <code>${network.address}</code> and nowhere else. It is kept encrypted here; the bouncer keeps it as it is, to log you in whenever it connects. Nobody is shown it again.${
  isInTheClear(network) ? ' The connection to this network is not encrypted: who is on the way can read it.' : ''
}</p>
</div>
<div class="actions"><button class="button">Log in</button></div>
</form>
</details>`;

const certificateForm = (session: BrowserSession, network: Network, { state }: IrcStatus): Html => html`<details>
<summary>Log in with a certificate</summary>
<p class="note">The bouncer makes a key that never leaves it, and you tell the network its fingerprint once. It takes the place of a password here.${
  network.address.startsWith('ircs:') ? '' : ' A network whose connection is not encrypted can’t see it.'
}</p>
${
  state === 'offline'
    ? html`<p class="note">Go online first: the bouncer makes it for a network that it knows.</p>`
    : html`<form method="post" action="/settings/login/certificate">${csrfField(session)}${forNetwork(network)}<div class="actions"><button class="button quiet">Make a certificate</button></div></form>`
}
</details>`;

const elsewhere = (session: BrowserSession, others: readonly LoginView[]): Html => html`<h3>For other networks</h3>
<ul class="plain items">${others.map(
  (login) =>
    html`<li><div>${login.network.name} <span class="note">${login.network.address}</span><p class="note">${
      login.kind === 'password' ? `Password of ${login.name ?? ''}. ` : ''
    }It is used there and nowhere else.</p></div>${forgetForm(session, login)}</li>`,
)}</ul>`;

/** Whether the connection is unencrypted; a connection within the machine has no one who could listen. */
const isInTheClear = ({ address }: Network): boolean =>
  address.startsWith('irc+insecure:') && !/^irc\+insecure:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|$)/.test(address);
