/** Version of a flake's NixOS: release, day of the newest commit, revision. Channels count commits in place of the day. */
const DATED_VERSION = /^\d\d\.\d\d(?:pre|beta)?\.?(\d{4})(\d\d)(\d\d)\.[0-9a-z]+$/;

/** The day a flake without a date claims. */
const UNKNOWN_DAY = '19700101';

const LAST_YEAR = 2100;

/** The day of the packages' newest commit as `YYYYMMDD`; empty if the version does not contain it. */
export function nixpkgsDateOf(nixosVersion: string): string {
  const [, year = '', month = '', day = ''] = DATED_VERSION.exec(nixosVersion) ?? [];
  const date = `${year}${month}${day}`;
  return date !== '' &&
    date !== UNKNOWN_DAY &&
    isoDayOf(date) === `${year}-${month}-${day}` &&
    Number(year) <= LAST_YEAR
    ? date
    : '';
}

/** Start of a `YYYYMMDD` day in UTC, in milliseconds since 1970. */
export function dayStartMs(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6)));
}

/** A date as `YYYY-MM-DD`; a day that does not exist becomes another one. */
function isoDayOf(date: string): string {
  return new Date(dayStartMs(date)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
