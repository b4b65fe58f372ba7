import { channelKey } from './channel.ts';
import type { Entry } from './entry.ts';
import { foldText } from './fold.ts';
import { nickKey } from './nick.ts';

/** @spec connector#events filters */
export const FILTER_NAMES = ['network', 'channel', 'sender', 'keyword'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Which mentions a subscriber wants: those that match all that are given. */
export type MentionFilters = Partial<Record<FilterName, string>>;

/** A phrase is folded as search folds it, a nick and a channel compare as everywhere. */
const CANONICAL: Record<FilterName, (written: string) => string> = {
  network: (written) => written.toLowerCase(),
  channel: (written) => channelKey(written.startsWith('#') ? written : `#${written}`),
  sender: nickKey,
  keyword: foldText,
};

/** Each filter in the one form in which all its spellings are equal. */
export function canonicalFilters(filters: MentionFilters): MentionFilters {
  const given = FILTER_NAMES.flatMap((name) => {
    const written = filters[name];
    return written === undefined ? [] : [[name, CANONICAL[name](written)]];
  });
  return Object.fromEntries(given);
}

/** Whether a phrase has anything that a text could have: formatting and blanks alone are nothing. */
export const isFindable = (keyword: string): boolean => foldText(keyword).trim() !== '';

export function matchesFilters(
  filters: MentionFilters,
  entry: Pick<Entry, 'network' | 'channel' | 'sender' | 'text'>,
): boolean {
  const { network, channel, sender, keyword } = canonicalFilters(filters);
  const said = canonicalFilters({ ...entry, keyword: entry.text });
  return (
    (network === undefined || network === said.network) &&
    (channel === undefined || channel === said.channel) &&
    (sender === undefined || sender === said.sender) &&
    (keyword === undefined || said.keyword?.includes(keyword) === true)
  );
}
