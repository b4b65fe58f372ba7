import type { AccountSeen, Entry, Observations, Violation } from '../observations.ts';
import { type Hearing, hearings } from './heard.ts';
import { violation } from './violation.ts';

/** Lines that were said at nearly the same time reach servers and listeners in any order. */
const SAME_TIME_MS = 1_000;

/** Compares each history with what the bouncer has kept, and with what was said on IRC. */
export function checkHistories({ accounts, heard, said }: Observations): Violation[] {
  const known = hearings(heard);
  const sent = new Set(accounts.flatMap(({ sends }) => sends.map(({ text }) => text)));
  const isSaid = (text: string): boolean => said.has(text) || sent.has(text) || known.has(text);
  return accounts.flatMap((account) => [
    ...keptNothing(account, said.size),
    ...lost(account, isSaid),
    ...doubled(account),
    ...invented(account, isSaid),
    ...byChannel(account.history).flatMap((entries) => disordered('history', account.name, entries, known)),
    ...byChannel(firstOfEach(account.shown.filter(({ isInOrder }) => isInOrder))).flatMap((entries) =>
      disordered('unread entries', account.name, entries, known),
    ),
  ]);
}

/** Without anything to compare with, nothing would be found. */
function keptNothing({ name, kept, history }: AccountSeen, said: number): Violation[] {
  if (kept.length > 0 || said === 0) return [];
  const what = `the bouncer has kept no line of ${said}; the history has ${history.length}`;
  return [violation('nothing to compare with', what, { account: name })];
}

function lost({ name, kept, history }: AccountSeen, isSaid: (text: string) => boolean): Violation[] {
  const stored = new Set(history.map(({ channel, text }) => `${channel} ${text}`));
  return kept
    .filter(({ channel, text }) => isSaid(text) && !stored.has(`${channel} ${text}`))
    .map(({ channel, sender, text }) =>
      violation('line lost', `the bouncer has “${text}” of ${sender}, the history does not`, {
        ...{ account: name, channel },
      }),
    );
}

function doubled({ name, history }: AccountSeen): Violation[] {
  const first = new Map<string, string>();
  return history.flatMap(({ channel, text, entryId }) => {
    const earlier = first.get(`${channel} ${text}`);
    first.set(`${channel} ${text}`, earlier ?? entryId);
    if (earlier === undefined) return [];
    return [violation('line doubled', `“${text}” is ${earlier} and ${entryId}`, { account: name, channel })];
  });
}

function invented({ name, history }: AccountSeen, isSaid: (text: string) => boolean): Violation[] {
  return history
    .filter(({ text }) => !isSaid(text))
    .map(({ channel, text, sender, entryId }) =>
      violation('line invented', `${entryId} is “${text}” of ${sender}, which was never said`, {
        ...{ account: name, channel },
      }),
    );
}

/** Entries of others in another order than they were heard in. Own ones have the time of their acceptance at first. */
function disordered(
  where: string,
  account: string,
  entries: readonly Entry[],
  known: ReadonlyMap<string, Hearing>,
): Violation[] {
  const newestOf = new Map<string, number>();
  let newest = { at: 0, text: '' };
  return entries
    .filter(({ sender }) => sender !== account)
    .flatMap(({ channel, sender, text, entryId }) => {
      const hearing = known.get(text);
      if (hearing === undefined) return [];
      const { at, place } = hearing;
      const ofSender = newestOf.get(sender) ?? -1;
      const before = at < newest.at - SAME_TIME_MS ? `“${newest.text}”` : `a later line of ${sender}`;
      const isWrong = at < newest.at - SAME_TIME_MS || place < ofSender;
      newestOf.set(sender, Math.max(place, ofSender));
      if (at > newest.at) newest = { at, text };
      if (!isWrong) return [];
      return [violation('order', `in the ${where} “${text}” (${entryId}) follows ${before}`, { account, channel, at })];
    });
}

function firstOfEach<E extends Entry>(entries: readonly E[]): E[] {
  const seen = new Map<string, E>();
  for (const entry of entries) if (!seen.has(entry.entryId)) seen.set(entry.entryId, entry);
  return [...seen.values()];
}

function byChannel<E extends { channel: string }>(entries: readonly E[]): E[][] {
  const channels = new Map<string, E[]>();
  for (const entry of entries) {
    const own = channels.get(entry.channel) ?? [];
    own.push(entry);
    channels.set(entry.channel, own);
  }
  return [...channels.values()];
}
