import type { AccountSeen, Observations, SeenEvent, Violation } from '../observations.ts';
import { hearings } from './heard.ts';
import { violation } from './violation.ts';

/** Checks that each mention in a history has come to the account's receiver, under one event id. */
export function checkEvents({ accounts, events, heard }: Observations): Violation[] {
  const known = hearings(heard);
  const of = new Map<string, SeenEvent[]>();
  for (const event of events) of.set(event.account, [...(of.get(event.account) ?? []), event]);
  return accounts.flatMap((account) => {
    const own = of.get(account.name) ?? [];
    return [
      ...undelivered(account, own, (text) => known.get(text)?.at ?? 0),
      ...underTwoIds(account.name, own),
      ...groundless(account, own),
    ];
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function mentions({ name, history }: AccountSeen): AccountSeen['history'] {
  const token = new RegExp(`(^|[^\\w-])${escaped(name)}($|[^\\w-])`);
  return history.filter(({ sender, text }) => sender !== name && token.test(text));
}

function undelivered(account: AccountSeen, own: readonly SeenEvent[], saidAt: (text: string) => number): Violation[] {
  const delivered = new Set(own.map(({ entryId }) => entryId));
  return mentions(account)
    .filter(({ entryId, text }) => saidAt(text) > account.subscribedAt && !delivered.has(entryId))
    .map(({ entryId, text, channel }) =>
      violation('mention not delivered', `no event came for ${entryId} (“${text}”)`, {
        ...{ account: account.name, channel, at: saidAt(text) },
      }),
    );
}

function underTwoIds(account: string, own: readonly SeenEvent[]): Violation[] {
  const ids = new Map<string, string>();
  return own.flatMap(({ entryId, eventId, at }) => {
    const first = ids.get(entryId) ?? eventId;
    ids.set(entryId, first);
    if (first === eventId) return [];
    return [violation('mention under two ids', `${entryId} came as ${first} and ${eventId}`, { account, at })];
  });
}

function groundless(account: AccountSeen, own: readonly SeenEvent[]): Violation[] {
  const mentioned = new Set(mentions(account).map(({ entryId }) => entryId));
  return own
    .filter(({ entryId }) => !mentioned.has(entryId))
    .map(({ entryId, eventId, text, at }) =>
      violation('event without a mention', `${eventId} is about ${entryId} (“${text}”), which is none`, {
        ...{ account: account.name, at },
      }),
    );
}
