import type { Account } from '../../../domain/account.ts';
import { NICK_MAX_CHARACTERS } from '../../../domain/limits.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { NetworkChoice } from '../../../services/choose-network.ts';
import type { IrcState, IrcStatus } from '../../../services/irc-status.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { sentence } from '../../sentence.ts';
import { textField } from '../../text-field.ts';
import { card } from '../card.ts';
import type { RefusedText } from '../refused-text.ts';
import type { Notice } from '../result-notices.ts';

export interface IrcCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  account: Account;
  status: IrcStatus;
  networks: readonly NetworkChoice[];
  refused: RefusedText | undefined;
}

const STATES: Record<IrcState, { word: string; isOn: boolean; meaning: string }> = {
  offline: { word: 'offline', isOn: false, meaning: 'You or an agent that may write can take you online.' },
  online: { word: 'online', isOn: true, meaning: '' },
  connecting: {
    word: 'connecting',
    isOn: false,
    meaning: 'The network is not reached at the moment; it is tried again.',
  },
  unknown: { word: 'not known', isOn: false, meaning: 'The network does not answer at the moment.' },
};

/** State, nick and network of the person on IRC. */
export function ircCard({ session, notice, account, status, networks, refused }: IrcCardContent): Html {
  const chosen = networks.find(({ isChosen }) => isChosen);
  const { word, isOn, meaning } = STATES[status.state];
  const body = html`<dl>
<dt>State</dt><dd><span class="badge${isOn ? '' : ' off'}">${word}</span> <span class="note">${meaning}</span>${status.problems.map(
    (problem) => html`<p class="note">${sentence(problem)}</p>`,
  )}</dd>
<dt>Nick</dt><dd><code>${account.nick}</code>${nickInUse(account, status)}</dd>
<dt>Network</dt><dd>${chosen?.name ?? ''} <span class="note">${chosen?.address ?? ''}${networks.length === 1 ? ', set by the owner' : ''}</span></dd>
</dl>
${switchForm(session, status.state)}
${nickForm(session, account, refused?.field === 'nick' ? refused : undefined)}
${networks.length === 1 ? NOTHING : networkForm(session, networks)}`;
  return card({ id: 'irc', title: 'On IRC', notice, body });
}

/** The switch of presence. Going offline affects all agents, so the page says so before. */
const switchForm = (
  session: BrowserSession,
  state: IrcState,
): Html => html`<form method="post" action="/settings/presence">
${csrfField(session)}
<input type="hidden" name="presence" value="${state === 'offline' ? 'online' : 'offline'}">
<div class="actions"><button class="button quiet small">${state === 'offline' ? 'Go online' : 'Go offline'}</button>${
  state === 'offline'
    ? NOTHING
    : html` <span class="note">For all agents: nothing is kept or sent until you are online again.</span>`
}</div>
</form>`;

function nickInUse({ nick }: Account, { nickInUse: inUse }: IrcStatus): Html {
  if (inUse === null) return NOTHING;
  if (inUse === nick) return html` <span class="note">in use</span>`;
  return html` <span class="note">At the moment <code>${inUse}</code> is in use.</span>`;
}

const nickForm = (session: BrowserSession, { nick }: Account, refused: RefusedText | undefined): Html => html`<details${
  refused === undefined ? NOTHING : html` open`
}>
<summary>Change nick</summary>
<form method="post" action="/settings/nick">
${csrfField(session)}
${textField({
  name: 'nick',
  label: 'New nick',
  value: refused?.written ?? nick,
  maxLength: NICK_MAX_CHARACTERS,
  rule: NICK_RULE,
  refused: refused?.why,
})}
<div class="actions"><button class="button">Save nick</button></div>
</form>
</details>`;

const NICK_RULE = html`At most ${NICK_MAX_CHARACTERS} letters, digits and <code class="whole">_ - [ ] { } \\ | ^ \`</code>, and first neither a digit nor a hyphen. Mentions of the new nick count from then on.`;

const networkForm = (session: BrowserSession, networks: readonly NetworkChoice[]): Html => html`<details>
<summary>Change network</summary>
<form method="post" action="/settings/network">
${csrfField(session)}
<fieldset>
<legend>Network</legend>
<ul class="plain">${networks.map(
  ({ name, address, isChosen }) =>
    html`<li><label class="row"><input type="radio" name="network" value="${name}"${
      isChosen ? html` checked` : NOTHING
    }><span>${name} <span class="note">${address}</span></span></label></li>`,
)}</ul>
</fieldset>
<p class="note">Your channels are then those of the same names there. What was said on the other network stays in your history.</p>
<div class="actions"><button class="button">Save network</button></div>
</form>
</details>`;
