import { CHANNELS_LISTED, PEOPLE_PER_PAGE } from '../../domain/limits.ts';
import { LOGIN_MAX_CHARACTERS } from '../../domain/login-name.ts';
import type { PeoplePage, PersonAccess } from '../../services/list-people.ts';
import { type Html, html, NOTHING } from '../html.ts';
import { peopleHref, SEARCH_FIELD } from './people-request.ts';
import { nameOf, personHref } from './require-person.ts';

const count = new Intl.NumberFormat('en-GB');

/** One page of people, with a search and links to the other pages if there are more. */
export function peopleList({ people, page, pages, found }: PeoplePage, search: string): Html {
  if (pages === 1 && search === '') return list(people);
  return html`${searchForm(search)}
<p class="note">${whichOf({ page, found, search })}</p>
${people.length === 0 ? NOTHING : list(people)}
${pages === 1 ? NOTHING : otherPages({ page, pages, search })}`;
}

const list = (people: readonly PersonAccess[]): Html => html`<ul class="plain items">${people.map(row)}</ul>`;

const searchForm = (search: string): Html => html`<form role="search" method="get" action="${peopleHref({})}">
<div class="field">
<label for="${SEARCH_FIELD}">Login or nick</label>
<div class="search"><input type="search" id="${SEARCH_FIELD}" name="${SEARCH_FIELD}" value="${search}" maxlength="${LOGIN_MAX_CHARACTERS}" autocomplete="off" autocapitalize="none" spellcheck="false"><button class="button quiet">Search</button></div>
</div>
</form>`;

function whichOf({ page, found, search }: { page: number; found: number; search: string }): Html {
  const everybody = html` <a href="${peopleHref({})}">Show everybody</a>`;
  if (found === 0) return html`Nobody has “${search}” in their login or nick.${everybody}`;
  const first = (page - 1) * PEOPLE_PER_PAGE + 1;
  const last = Math.min(page * PEOPLE_PER_PAGE, found);
  const range = first === last ? count.format(first) : `${count.format(first)}–${count.format(last)}`;
  return html`${range} of ${count.format(found)}${search === '' ? '.' : html` who have “${search}” in their login or nick.${everybody}`}`;
}

function otherPages({ page, pages, search }: { page: number; pages: number; search: string }): Html {
  const link = (to: number, label: string): Html =>
    html`<a class="button quiet small" href="${peopleHref({ search, page: to })}">${label}</a>`;
  return html`<nav class="actions" aria-label="Other people">${page > 1 ? link(page - 1, 'Previous') : NOTHING}${page < pages ? link(page + 1, 'Next') : NOTHING}</nav>`;
}

function row(person: PersonAccess): Html {
  const name = nameOf(person);
  return html`<li>
<div>
<strong>${name}</strong>${badges(person)}
<p class="note">Nick <code>${person.nick}</code>. Granted: ${listed(person.granted)}. Enabled: ${listed(person.enabled)}.</p>
</div>
<a class="button quiet small" href="${personHref(person)}">Change<span class="unseen"> ${name}</span></a>
</li>`;
}

const badges = ({ login, isOwner, hasSignedIn }: PersonAccess): Html[] => [
  isOwner ? html` <span class="badge">owner</span>` : NOTHING,
  hasSignedIn ? NOTHING : html` <span class="badge off">has not signed in yet</span>`,
  login === null ? html` <span class="badge off">their login is somebody else’s now</span>` : NOTHING,
];

function listed(channels: readonly string[]): string {
  if (channels.length === 0) return 'none';
  const named = channels.slice(0, CHANNELS_LISTED).join(', ');
  const more = channels.length - CHANNELS_LISTED;
  return more > 0 ? `${named} and ${count.format(more)} more` : named;
}
