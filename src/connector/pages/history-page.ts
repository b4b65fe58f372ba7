import { enabledChannels } from '../domain/account.ts';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';
import type { Entry } from '../domain/entry.ts';
import { stripFormatting } from '../domain/formatting.ts';
import { DAY_MS, PHRASE_MAX_CHARACTERS } from '../domain/limits.ts';
import { parseMoment } from '../domain/moment.ts';
import { visibleName } from '../domain/unseen-characters.ts';
import { ConnectorError } from '../errors.ts';
import { pageForPerson } from './define-page.ts';
import { type Html, html, NOTHING } from './html.ts';
import { messagePage, page } from './layout.ts';
import { type Moments, UTC } from './moments.ts';
import { script } from './script.ts';

export const HISTORY_PATH = '/history';

/** Entries on one page. */
const ENTRIES = 100;
/** Same limit as for an agent's page token. */
const TOKEN_MAX_CHARACTERS = 256;
const MOMENT_MAX_CHARACTERS = 40;

/** The first and the last millisecond that a time of ISO 8601 can name. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z');
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The query of the address; invalid values are left out. */
interface Asked {
  channel: string | undefined;
  /** `YYYY-MM-DD`, in the reader's time zone. */
  day: string | undefined;
  before: string | undefined;
  /** Id of the entry that comes first. */
  at: string | undefined;
  search: string;
  token: string | undefined;
}

/** A person's own history, to read and to search; newest first, as agents get it. */
export const historyPage = pageForPerson({
  path: HISTORY_PATH,
  show: async ({ req, deps: { services, moments }, person: { accountId } }) => {
    const channels = enabledChannels(await services.account(accountId));
    if (channels.length === 0) return { page: messagePage('History', NO_CHANNEL, TO_SETTINGS) };
    const asked = askedIn(req.query);
    const channel = asked.channel ?? channels[0] ?? '';
    const caller = { accountId, clientId: '' };
    const range = { limit: ENTRIES, pageToken: asked.token };
    const read = () =>
      asked.search === ''
        ? services.readHistory(caller, { ...range, channel, mode: 'recent', ...timeOf(asked, moments) })
        : services.searchHistory(caller, { ...range, channel: asked.channel, phrase: asked.search, around: 0 });
    const found = await read().catch((error: unknown) => {
      if (error instanceof ConnectorError && error.code === 'entry_unknown') return undefined;
      throw error;
    });
    if (found === undefined) {
      return {
        status: 404,
        page: messagePage('History', GONE, { href: hrefOf({ channel }), label: 'Go to the channel' }),
      };
    }
    const { entries, nextPageToken } = found;
    const older = nextPageToken === null ? undefined : hrefOf({ ...asked, token: nextPageToken });
    const body = html`<p class="note"><a href="/settings#history">Settings</a></p>
<h1>${asked.search === '' ? channel : 'History'}</h1>
<section class="card" aria-label="What to show">${form(channels, asked, { channel, zone: moments.zone })}</section>
<section class="card" aria-label="What happened">${days(entries, { hasChannels: asked.search !== '', moments })}
${older === undefined ? NOTHING : html`<div class="actions"><a class="button quiet" href="${older}">Older</a></div>`}</section>`;
    return { page: page({ title: 'History', body, head: script(moments.zone) }), isScripted: true };
  },
});

const GONE = 'This entry is not kept any more: it was deleted, or is older than what is kept here.';
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
  const at = moment('at');
  const place = at === undefined ? undefined : parseMoment(at);
  return {
    channel: text('channel', CHANNEL_MAX_CHARACTERS),
    // A time with an offset may be of a year that no answer can write.
    day: day !== undefined && DAY.test(day) ? day : undefined,
    before: moment('before'),
    at: place !== undefined && 'entryId' in place ? at : undefined,
    search: text('search', PHRASE_MAX_CHARACTERS)?.replaceAll('\0', '') ?? '',
    token: text('page', TOKEN_MAX_CHARACTERS),
  };
}

/** The range of the list: a whole day, or the entries up to a place within it. */
function timeOf(
  { day, before, at }: Asked,
  { beginOf }: Moments,
): { since?: string; before?: string; beginAt?: string } {
  if (at !== undefined) return { beginAt: at };
  const from = day === undefined ? undefined : parseMoment(day);
  if (from === undefined || !('at' in from)) return before === undefined ? {} : { before };
  const iso = (at: number) => new Date(Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT)).toISOString();
  return { since: iso(beginOf(from.at)), before: before ?? iso(beginOf(from.at + DAY_MS)) };
}

function hrefOf({ channel, day, before, at, search, token }: Partial<Asked>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries({ channel, day, before, at, search, page: token })) {
    if (value !== undefined && value !== '') fields.set(name, value);
  }
  return `${HISTORY_PATH}?${fields}`;
}

const form = (
  channels: readonly string[],
  { search, day, channel: asked }: Asked,
  { channel: shown, zone }: { channel: string; zone: string },
): Html => {
  const chosen = search === '' ? shown : asked;
  return html`<form method="get" action="${HISTORY_PATH}" class="fields">
<div class="field"><label for="channel">Channel</label>
<select id="channel" name="channel">${search === '' ? NOTHING : html`<option value="">All</option>`}${channels.map(
    (channel) => html`<option value="${channel}"${channel === chosen ? html` selected` : NOTHING}>${channel}</option>`,
  )}</select></div>
<div class="field"><label for="day">Day${zone === UTC ? ', in UTC' : ` in ${zone}`}</label><input type="date" id="day" name="day" value="${day ?? ''}"></div>
<div class="field"><label for="search">Find, on any day</label><input type="search" id="search" name="search" value="${search}" maxlength="${PHRASE_MAX_CHARACTERS}" autocomplete="off" spellcheck="false"></div>
<div class="actions"><button class="button">Show</button></div>
</form>`;
};

interface Shown {
  hasChannels: boolean;
  moments: Moments;
}

function days(entries: readonly Entry[], shown: Shown): Html {
  if (entries.length === 0) return html`<p class="note">Nothing here.</p>`;
  const byDay = Map.groupBy(entries, ({ eventAt }) => shown.moments.dateOf(eventAt));
  return html`${[...byDay].map(
    ([, ofDay]) => html`<h2>${shown.moments.day(ofDay[0]?.eventAt ?? 0)}</h2>
<ul class="plain log">${ofDay.map((entry) => row(entry, shown))}</ul>`,
  )}`;
}

function row(entry: Entry, { hasChannels, moments }: Shown): Html {
  const { entryId, channel, eventAt } = entry;
  // A time could not identify the entry: servers that count seconds date hundreds of entries alike.
  const place = hrefOf({ channel, at: entryId });
  return html`<li id="${entryId}"><a class="note" href="${place}#${entryId}">${moments.clock(eventAt)}</a> ${hasChannels ? html`<code>${channel}</code> ` : NOTHING}${happened(entry, moments)}</li>`;
}

function happened({ kind, sender: nick, text: written, target: kicked, gap }: Entry, moments: Moments): Html {
  const text = stripFormatting(written);
  const [sender, target] = [visibleName(nick), visibleName(kicked ?? '')];
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
      return html`<span class="note">${sender} kicked ${target}${why}</span>`;
    case 'topic':
      return html`<span class="note">${sender} set the topic: ${text}</span>`;
    case 'mode':
      return html`<span class="note">${sender} set modes ${text}</span>`;
    case 'gap':
      return html`<span class="note">Something may be missing here${gap === null ? NOTHING : html`, up to ${moments.minute(gap.to)}`}</span>`;
  }
}
