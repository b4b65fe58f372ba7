import type { Request } from 'express';
import { cookieOf } from '../browser/cookies.ts';
import { DAY_MS } from '../domain/limits.ts';
import { type Html, html } from './html.ts';
import { ZONE_COOKIE } from './script.ts';

/** The zone that is used until a browser names its reader's. */
export const UTC = 'UTC';

const ZONE_MAX_CHARACTERS = 64;
/** Zones whose formatters are cached; making them takes longer than a page. */
const ZONES_KEPT = 100;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Writes moments, milliseconds since 1970, as the reader's clock and calendar show them. */
export interface Moments {
  /** Name of the zone in the IANA database; `UTC` until the browser names one. */
  zone: string;
  day(at: number): Html;
  clock(at: number): Html;
  /** A minute, with the zone. */
  minute(at: number): Html;
  /** The day of a moment, `YYYY-MM-DD`. */
  dateOf(at: number): string;
  /** The moment at which a day begins, given its midnight in UTC. */
  beginOf(midnight: number): number;
}

/** Zone → its formatters, the last used one last. */
const kept = new Map<string, Moments>();

/** Returns the formatters of the zone that the reader's browser names, if that zone exists; else of UTC. */
export function momentsFor(req: Request): Moments {
  const zone = zoneIn(cookieOf(req, ZONE_COOKIE) ?? UTC);
  const known = kept.get(zone);
  const moments = known ?? momentsIn(zone);
  kept.delete(zone);
  kept.set(zone, moments);
  const [oldest = zone] = kept.keys();
  if (kept.size > ZONES_KEPT) kept.delete(oldest);
  return moments;
}

function zoneIn(cookie: string): string {
  if (cookie.length > ZONE_MAX_CHARACTERS) return UTC;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: decodeURIComponent(cookie) }).resolvedOptions().timeZone;
  } catch {
    // A zone that this machine does not know is as good as none.
    return UTC;
  }
}

function momentsIn(zone: string): Moments {
  const format = (options: Intl.DateTimeFormatOptions, language = 'en-GB') =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  const day = format({ dateStyle: 'medium' });
  const clock = format({ timeStyle: 'medium' });
  const minute = format({ dateStyle: 'medium', timeStyle: 'short' });
  const zoneName = format({ timeZoneName: 'short' });
  const offset = format({ timeZoneName: 'longOffset' });
  const offsetAt = (at: number) => offsetOf(zonePart(offset, at));
  const written = (at: number, text: string) => html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
  return {
    zone,
    day: (at) => written(at, day.format(at)),
    clock: (at) => written(at, clock.format(at)),
    minute: (at) => written(at, `${minute.format(at)} ${zonePart(zoneName, at)}`),
    dateOf: (at) => new Date(at + offsetAt(at)).toISOString().slice(0, 'YYYY-MM-DD'.length),
    beginOf: (midnight) => {
      // The offset may change around midnight. Of the two readings, the earlier one counts if the clock shows both.
      const before = midnight - offsetAt(midnight - DAY_MS);
      const after = midnight - offsetAt(midnight + DAY_MS);
      const shown = [before, after].filter((at) => at + offsetAt(at) === midnight);
      // Where clocks are put forward at midnight, as in Chile, the day begins with the change.
      return shown.length === 0 ? before : Math.min(...shown);
    },
  };
}

const zonePart = (format: Intl.DateTimeFormat, at: number): string =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? UTC;

/** @param written as `GMT+05:30`, or `GMT` alone */
function offsetOf(written: string): number {
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(written) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return sign === '-' ? -size : size;
}
