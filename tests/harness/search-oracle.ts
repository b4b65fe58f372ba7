import { foldText } from '../../src/connector/domain/fold.ts';
import type { Place, PlacedEntry } from '../../src/connector/ports/history-store.ts';
import { type SearchEffort, searchNewestFirst } from '../../src/connector/store/search.ts';
import type { OpenStore } from './open-store.ts';

/** Entry ids with the phrase, newest first, found by looking at every entry. */
export async function searchNaively(
  { database }: OpenStore,
  accountId: string,
  channels: readonly string[],
  phrase: string,
): Promise<string[]> {
  const rows: { entry_id: string; row: number; event_at: number; text: string; channel: string }[] = await database(
    'entries',
  ).where('account_id', accountId);
  return rows
    .filter(({ channel, text }) => channels.includes(channel) && foldText(text).includes(foldText(phrase)))
    .sort((a, b) => Number(b.event_at) - Number(a.event_at) || Number(b.row) - Number(a.row))
    .map((row) => row.entry_id);
}

export interface Search {
  channels: readonly string[];
  phrase: string;
  limit: number;
  effort?: SearchEffort | undefined;
}

/** Entries with the phrase as the store finds them, page by page. */
export async function searchInPages(
  { database }: OpenStore,
  accountId: string,
  { channels, phrase, limit, effort }: Search,
  betweenPages: () => Promise<unknown> = async () => undefined,
): Promise<PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  let before: Place | undefined;
  for (;;) {
    const page = await searchNewestFirst(
      database,
      accountId,
      { channels, limit, before, phrase: foldText(phrase) },
      effort,
    );
    found.push(...page);
    if (page.length < limit) return found;
    before = page.at(-1);
    await betweenPages();
  }
}

/** Indexes everything that can be indexed. */
export async function indexAll({ store }: OpenStore): Promise<void> {
  for (const { accountId } of await store.accounts.list()) {
    for (const { channel } of await store.textIndex.backlog(accountId)) {
      while ((await store.textIndex.extend(accountId, channel)) > 0);
    }
  }
}
