import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';
import type { Entry } from './entry.ts';
import { foldText } from './fold.ts';

/** @spec connector#events filters */
export const FILTER_NAMES = ['network', 'channel', 'sender', 'keyword'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Filters of a subscription: it gets the mentions that match all that are given. */
export type MentionFilters = Partial<Record<FilterName, string>>;

/** A phrase is folded as for search; a nick and a channel compare as on their network. */
const CANONICAL: Record<FilterName, (written: string, casemapping: Casemapping) => string> = {
  network: (written) => written.toLowerCase(),
  channel: (written, casemapping) => fold(written.startsWith('#') ? written : `#${written}`, casemapping),
  sender: fold,
  keyword: foldText,
};

/** Returns each filter in the form in which all its spellings are equal on a network. */
export function canonicalFilters(
  filters: MentionFilters,
  casemapping: Casemapping = USUAL_CASEMAPPING,
): MentionFilters {
  const given = FILTER_NAMES.flatMap((name) => {
    const written = filters[name];
    return written === undefined ? [] : [[name, CANONICAL[name](written, casemapping)]];
  });
  return Object.fromEntries(given);
}

/** Whether a text could contain the phrase: formatting and blanks alone are never found. */
export const isFindable = (keyword: string): boolean => foldText(keyword).trim() !== '';

/** The fields of an entry that filters compare. */
export type Filterable = Pick<Entry, 'network' | 'channel' | 'sender' | 'text'>;

export const matchesFilters = (filters: MentionFilters, entry: Filterable, casemapping?: Casemapping): boolean =>
  matchesCanonical(canonicalFilters(filters, casemapping), canonicalEntry(entry, casemapping));

/** Returns an entry in the form in which filters are compared with it. */
export const canonicalEntry = ({ text: keyword, ...said }: Filterable, casemapping?: Casemapping): MentionFilters => {
  const { network, channel, sender } = said;
  return canonicalFilters({ network, channel, sender, keyword }, casemapping);
};

/** Like `matchesFilters`, for canonical arguments: with many filters and entries each is folded once. */
export function matchesCanonical({ network, channel, sender, keyword }: MentionFilters, said: MentionFilters): boolean {
  return (
    (network === undefined || network === said.network) &&
    (channel === undefined || channel === said.channel) &&
    (sender === undefined || sender === said.sender) &&
    (keyword === undefined || said.keyword?.includes(keyword) === true)
  );
}
