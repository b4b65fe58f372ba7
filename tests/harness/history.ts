import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Agent } from './agent.ts';

/** The most entries a call returns. */
const PAGE_MAX = 200;
/** A wait for a line reads the whole history only once in this many looks: it may be long. */
const LOOKS_UNTIL_ALL = 10;

export interface HistoryEntry {
  entryId: string;
  network: string;
  kind: string;
  sender: string;
  text: string;
  target: string | null;
  mention: boolean;
  timestampSource: string;
  messageId: string | null;
  eventTime: string;
  gap: { from: string; to: string; reason: string } | null;
}

interface Page {
  /** Entries of the page, newest first. */
  entries: HistoryEntry[];
  /** Token of the page before it, if there is one. */
  token: unknown;
}

/** The newest entries, or those before a page. */
async function pageOf(agent: Agent, channel: string, token?: unknown): Promise<Page> {
  const page = await agent.call('read_history', {
    channel,
    mode: 'recent',
    limit: PAGE_MAX,
    ...(typeof token === 'string' ? { page_token: token } : {}),
  });
  return { entries: page['entries'] as HistoryEntry[], token: page['nextPageToken'] };
}

/** The whole retained history of a channel, oldest first, as an agent reads it. */
export async function historyOf(agent: Agent, channel: string): Promise<HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  let token: unknown;
  do {
    const page = await pageOf(agent, channel, token);
    all.push(...page.entries);
    token = page.token;
  } while (typeof token === 'string');
  return all.reverse();
}

/** Returns only the entries that people said. */
export const messagesOf = async (agent: Agent, channel = '#room'): Promise<HistoryEntry[]> =>
  (await historyOf(agent, channel)).filter(({ kind }) => kind === 'message');

export const textsOf = async (agent: Agent): Promise<string[]> => (await messagesOf(agent)).map(({ text }) => text);

export const gapsOf = async (agent: Agent): Promise<HistoryEntry[]> =>
  (await historyOf(agent, '#room')).filter(({ kind }) => kind === 'gap');

/** Resolves with the entry that has this text, once there is one. */
export function captured(agent: Agent, text: string, channel = '#room'): Promise<HistoryEntry> {
  let looks = 0;
  return waitFor(`history has "${text}"`, async () => {
    looks += 1;
    // It is among the newest, unless it was said long ago and has only come now.
    const isThorough = looks % LOOKS_UNTIL_ALL === 1;
    const entries = isThorough ? await historyOf(agent, channel) : (await pageOf(agent, channel)).entries;
    return entries.find((entry) => entry.text === text);
  });
}

/** The text of the newest entry in #room: for histories that are too long to be read again and again. */
export async function newestText(agent: Agent): Promise<string | undefined> {
  const { entries } = await agent.call('read_history', { channel: '#room', mode: 'recent', limit: 1 });
  return (entries as HistoryEntry[])[0]?.text;
}

/** Everything in #room that a session has not acknowledged, in order of arrival; then it has. */
export async function unreadOf(agent: Agent, sessionId: unknown): Promise<HistoryEntry[]> {
  const unread: HistoryEntry[] = [];
  for (;;) {
    const place = { channel: '#room', session_id: sessionId };
    const { entries } = await agent.call('read_history', { ...place, mode: 'unread', limit: PAGE_MAX });
    const batch = entries as HistoryEntry[];
    const last = batch.at(-1);
    if (last === undefined) return unread;
    unread.push(...batch);
    await agent.call('ack_messages', { ...place, entry_id: last.entryId });
  }
}
