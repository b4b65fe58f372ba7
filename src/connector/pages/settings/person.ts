import type { BrowserSession } from '../../ports/store.ts';
import type { PersonAccess } from '../../services/list-people.ts';
import { csrfField } from '../define-form.ts';
import { pageForPerson } from '../define-page.ts';
import { type Html, html, NOTHING } from '../html.ts';
import { page } from '../layout.ts';
import { grantBoxes } from './grant-boxes.ts';
import { nameOf, PERSON_PATH, personHref, requirePerson } from './require-person.ts';

/** Page where an owner sees and changes one person's access. @spec connector#owner-invitation */
export const personPage = pageForPerson({
  path: PERSON_PATH,
  show: async ({ req, deps, person: owner }) => {
    const person = await requirePerson(deps, owner, req.params['accountId']);
    const name = nameOf(person);
    const body = html`<p class="note"><a href="/settings#people">People with access</a></p>
<h1>${name}</h1>
<p class="lead">Nick <code>${person.nick}</code>. ${signedIn(person)}</p>
${person.isOwner ? OWNER : parts(person, owner, deps.ircChannels)}`;
    return { page: page({ title: name, body }) };
  },
});

function signedIn({ login, hasSignedIn }: PersonAccess): string {
  if (login === null) return 'Their login is another person’s now; they get theirs back at their next sign-in.';
  return hasSignedIn ? 'Has signed in.' : 'Has not signed in yet.';
}

const OWNER = html`<section class="card"><p>An owner has every channel. To change that, take them out of <code>settings.ownerLogins</code> and <code>ownerSubjects</code> in the configuration first.</p></section>`;

const parts = (person: PersonAccess, owner: BrowserSession, ircChannels: readonly string[]): Html[] => [
  grants(person, owner, ircChannels),
  person.login === null || !person.hasSignedIn ? NOTHING : newcomer(person, person.login, owner),
  removal(person),
];

const grants = (
  person: PersonAccess,
  owner: BrowserSession,
  ircChannels: readonly string[],
): Html => html`<section class="card" aria-labelledby="grants">
<h2 id="grants">Channels</h2>
<p class="note">Enabled now: ${person.enabled.length === 0 ? 'none' : person.enabled.join(', ')}. What they enabled stays so where it is still granted; new channels start off. With no channel, they keep their account and their history.</p>
<form method="post" action="${personHref(person)}">
${csrfField(owner)}
${grantBoxes(ircChannels, person.granted)}
<div class="actions"><button class="button">Save grants</button></div>
</form>
</section>`;

const newcomer = (
  person: PersonAccess,
  login: string,
  owner: BrowserSession,
): Html => html`<section class="card" aria-labelledby="login">
<h2 id="login">Login</h2>
<p class="note">Nobody but the person who signed in first gets into this account, even if <code>${login}</code> is somebody else’s login by now.</p>
<details>
<summary>Has the login passed to another person?</summary>
<form method="post" action="${personHref(person, '/login')}">
${csrfField(owner)}
<p class="note">Then give it to them: they get an account of their own with the same channels. This account stays with the first person, who gets in under the login that they have now.</p>
<div class="actions"><button class="button">Give ${login} to another person</button></div>
</form>
</details>
</section>`;

const removal = (person: PersonAccess): Html => html`<section class="card" aria-labelledby="removal">
<h2 id="removal">Remove</h2>
<p class="note">Ends their access and that of their agents, and deletes their history.</p>
<div class="actions"><a class="button quiet" href="${personHref(person, '/remove')}">Remove ${nameOf(person)}…</a></div>
</section>`;
