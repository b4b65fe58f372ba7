import { LOGIN_MAX_CHARACTERS } from '../../../domain/login-name.ts';
import type { BrowserSession } from '../../../ports/store.ts';
import type { PeoplePage } from '../../../services/list-people.ts';
import { csrfField } from '../../define-form.ts';
import { type Html, html, NOTHING } from '../../html.ts';
import { textField } from '../../text-field.ts';
import { card } from '../card.ts';
import { grantBoxes } from '../grant-boxes.ts';
import { peopleList } from '../people-list.ts';
import type { RefusedText } from '../refused-text.ts';
import type { Notice } from '../result-notices.ts';

export interface PeopleCardContent {
  session: BrowserSession;
  notice: Notice | undefined;
  people: PeoplePage;
  /** The search that selected `people`; empty without a search. */
  search: string;
  ircChannels: readonly string[];
  refused: RefusedText | undefined;
}

/** People with access and their channels, as owners see them. @spec connector#owner-invitation */
export function peopleCard({ session, notice, people, search, ircChannels, refused }: PeopleCardContent): Html {
  const body = html`<p class="note">Only owners see this part.</p>
${peopleList(people, search)}
${invitation(session, ircChannels, refused?.field === 'login' ? refused : undefined)}`;
  return html`<div class="owners">${card({ id: 'people', title: 'People with access', notice, body })}</div>`;
}

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
