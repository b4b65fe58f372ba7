import { LOGIN_MAX_CHARACTERS } from '../../../domain/login.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { PersonAccess } from '../../../services/people.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { textField } from '../../text-field.ts';
import { card } from '../card.ts';
import { grantBoxes } from '../grant-boxes.ts';
import type { Notice } from '../notices.ts';
import type { RefusedText } from '../refused-text.ts';

export interface PeopleCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  people: readonly PersonAccess[];
  ircChannels: readonly string[];
  refused: RefusedText | undefined;
}

/** What owners see of everybody: who may enter, and which channels they have. @spec connector#owner-invitation */
export function peopleCard({ session, notice, people, ircChannels, refused }: PeopleCardContent): Html {
  const body = html`<p class="note">Only owners see this part.</p>
<ul class="plain items">${people.map(row)}</ul>
${invitation(session, ircChannels, refused?.field === 'login' ? refused : undefined)}`;
  return html`<div class="owners">${card({ id: 'people', title: 'People with access', notice, body })}</div>`;
}

function row(person: PersonAccess): Html {
  const name = person.login ?? person.nick;
  return html`<li>
<div>
<strong>${name}</strong>${badges(person)}
<p class="note">Nick <code>${person.nick}</code>. Granted: ${listed(person.granted)}. Enabled: ${listed(person.enabled)}.</p>
</div>
<a class="button quiet small" href="/settings/people/${person.accountId}">Change<span class="unseen"> ${name}</span></a>
</li>`;
}

const badges = ({ login, isOwner, hasSignedIn }: PersonAccess): Html[] => [
  isOwner ? html` <span class="badge">owner</span>` : NOTHING,
  hasSignedIn ? NOTHING : html` <span class="badge off">has not signed in yet</span>`,
  login === null ? html` <span class="badge off">their login is somebody else’s now</span>` : NOTHING,
];

const listed = (channels: readonly string[]): string => (channels.length === 0 ? 'none' : channels.join(', '));

const invitation = (
  session: BrowserSession,
  ircChannels: readonly string[],
  refused: RefusedText | undefined,
): Html => html`<details${refused === undefined ? NOTHING : html` open`}>
<summary>Invite somebody</summary>
<form method="post" action="/settings/people">
${csrfField(session)}
${textField({
  name: 'login',
  label: 'Login at the identity provider',
  value: refused?.written ?? '',
  maxLength: LOGIN_MAX_CHARACTERS,
  rule: 'Somebody who has access already keeps their account and gets the channels below in place of those they have.',
  refused: refused?.why,
})}
${grantBoxes(ircChannels, ircChannels)}
<div class="actions"><button class="button">Invite</button></div>
</form>
</details>`;
