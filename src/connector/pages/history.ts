import { enabledChannels } from '../domain/account.ts';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';
import type { Entry } from '../domain/entry.ts';
import { stripFormatting } from '../domain/formatting.ts';
import { DAY_MS, PHRASE_MAX_CHARACTERS } from '../domain/limits.ts';
import { parseMoment } from '../domain/moment.ts';
import { pageForPerson } from './define-page.ts';
import { type Html, html, NOTHING } from './html.ts';
import { messagePage, page } from './layout.ts';
import { clockOf, dayOf } from './moments.ts';

export const HISTORY_PATH = '/history';

/** Entries on one page. */
const ENTRIES = 100;
/** As an agent's page tokens are bounded. */
const TOKEN_MAX_CHARACTERS = 256;
const MOMENT_MAX_CHARACTERS = 40;

/** The last millisecond that a time of ISO 8601 can name. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the address asks for; what it asks for wrongly is left out. */
interface Asked {
  channel: string | undefined;
  /** `YYYY-MM-DD`, in UTC. */
  day: string | undefined;
  before: string | undefined;
  search: string;
  token: string | undefined;
}

/** A person's own history, to read and to search; newest first, as agents get it. */
export const historyPage = pageForPerson({
  path: HISTORY_PATH,
  show: async ({ req, deps: { services }, person: { accountId } }) => {
    const channels = enabledChannels(await services.account(accountId));
    if (channels.length === 0) return { page: messagePage('History', NO_CHANNEL, TO_SETTINGS) };
    const asked = askedIn(req.query);
    const channel = asked.channel ?? channels[0] ?? '';
    const caller = { accountId, clientId: '' };
    const range = { limit: ENTRIES, pageToken: asked.token };
    const { entries, nextPageToken } =
      asked.search === ''
        ? await services.readHistory(caller, { ...range, channel, mode: 'recent', ...timeOf(asked) })
        : await services.searchHistory(caller, { ...range, channel: asked.channel, phrase: asked.search, around: 0 });
    const older = nextPageToken === null ? undefined : hrefOf({ ...asked, token: nextPageToken });
    const body = html`<p class="note"><a href="/settings#history">Settings</a></p>
<h1>${asked.search === '' ? channel : 'History'}</h1>
<section class="card" aria-label="What to show">${form(channels, asked, channel)}</section>
<section class="card" aria-label="What happened">${days(entries, asked.search !== '')}
${older === undefined ? NOTHING : html`<div class="actions"><a class="button quiet" href="${older}">Older</a></div>`}</section>`;
    return { page: page({ title: 'History', body }) };
  },
});

const NO_CHANNEL = 'No channel is enabled. Enable one in the settings; what is said there is then kept and shown here.';
const TO_SETTINGS = { href: '/settings#channels', label: 'Go to settings' };

function askedIn(query: Readonly<Record<string, unknown>>): Asked {
  const text = (name: string, max: number): string | undefined => {
    const value = query[name];
    return typeof value === 'string' && value.trim() !== '' && value.length <= max ? value.trim() : undefined;
  };
  const moment = (name: string): string | undefined => {
    const value = text(name, MOMENT_MAX_CHARACTERS);
    return value !== undefined && parseMoment(value) !== undefined ? value : undefined;
  };
  const day = moment('day');
  return {
    channel: text('channel', CHANNEL_MAX_CHARACTERS),
    // A time with an offset may be of a year that no answer can write.
    day: day !== undefined && DAY.test(day) ? day : undefined,
    before: moment('before'),
    search: text('search', PHRASE_MAX_CHARACTERS)?.replaceAll('\0', '') ?? '',
    token: text('page', TOKEN_MAX_CHARACTERS),
  };
}

/** A day is shown as a whole; a place within it up to the entry. */
function timeOf({ day, before }: Asked): { since?: string; before?: string } {
  const from = day === undefined ? undefined : parseMoment(day);
  if (from === undefined || !('at' in from)) return before === undefined ? {} : { before };
  const end = new Date(Math.min(from.at + DAY_MS, LAST_MOMENT)).toISOString();
  return { since: new Date(from.at).toISOString(), before: before ?? end };
}

function hrefOf({ channel, day, before, search, token }: Partial<Asked>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries({ channel, day, before, search, page: token })) {
    if (value !== undefined && value !== '') fields.set(name, value);
  }
  return `${HISTORY_PATH}?${fields}`;
}

const form = (channels: readonly string[], { search, day, channel: asked }: Asked, shown: string): Html => {
  const chosen = search === '' ? shown : asked;
  return html`<form method="get" action="${HISTORY_PATH}">
<div class="field"><label for="channel">Channel</label>
<select id="channel" name="channel">${search === '' ? NOTHING : html`<option value="">All</option>`}${channels.map(
    (channel) => html`<option value="${channel}"${channel === chosen ? html` selected` : NOTHING}>${channel}</option>`,
  )}</select></div>
<div class="field"><label for="day">Day, in UTC</label><input type="date" id="day" name="day" value="${day ?? ''}"></div>
<div class="field"><label for="search">Words to find, on any day</label><input type="search" id="search" name="search" value="${search}" maxlength="${PHRASE_MAX_CHARACTERS}" autocomplete="off" spellcheck="false"></div>
<div class="actions"><button class="button">Show</button></div>
</form>`;
};

function days(entries: readonly Entry[], hasChannels: boolean): Html {
  if (entries.length === 0) return html`<p class="note">Nothing here.</p>`;
  const byDay = Map.groupBy(entries, ({ eventAt }) => Math.floor(eventAt / DAY_MS));
  return html`${[...byDay].map(
    ([day, ofDay]) => html`<h2>${dayOf(day * DAY_MS)}</h2>
<ul class="plain log">${ofDay.map((entry) => row(entry, hasChannels))}</ul>`,
  )}`;
}

function row(entry: Entry, hasChannel: boolean): Html {
  const { entryId, channel, eventAt } = entry;
  // One millisecond later: up to and with this entry.
  const place = hrefOf({ channel, before: new Date(eventAt + 1).toISOString() });
  return html`<li id="${entryId}"><a class="note" href="${place}#${entryId}">${clockOf(eventAt)}</a> ${hasChannel ? html`<code>${channel}</code> ` : NOTHING}${happened(entry)}</li>`;
}

function happened({ kind, sender, text: written, target, gap }: Entry): Html {
  const text = stripFormatting(written);
  const why = text === '' ? '' : ` (${text})`;
  switch (kind) {
    case 'message':
      return html`<strong>${sender}</strong> ${text}`;
    case 'action':
      return html`<em>${sender} ${text}</em>`;
    case 'join':
      return html`<span class="note">${sender} joined</span>`;
    case 'part':
      return html`<span class="note">${sender} left${why}</span>`;
    case 'kick':
      return html`<span class="note">${sender} kicked ${target ?? ''}${why}</span>`;
    case 'topic':
      return html`<span class="note">${sender} set the topic: ${text}</span>`;
    case 'mode':
      return html`<span class="note">${sender} set modes ${text}</span>`;
    case 'gap':
      return html`<span class="note">Something may be missing here${gap === null ? '' : `, up to ${new Date(gap.to).toISOString()}`}</span>`;
  }
}
