import type { AccountSeen, Observations, Violation } from '../observations.ts';
import { violation } from './violation.ts';

const MESSAGE = 'message';

/** Checks what sessions were shown as unread, and their positions. */
export function checkUnread({ accounts }: Observations): Violation[] {
  return accounts.flatMap((account) => [
    ...shownAgain(account),
    ...vanished(account),
    ...neverShown(account),
    ...miscounted(account),
    ...movedBack(account),
  ]);
}

function shownAgain({ name, shown, acknowledged }: AccountSeen): Violation[] {
  const since = new Map<string, number>();
  for (const { entryIds, answeredAt } of acknowledged) {
    for (const id of entryIds) if (answeredAt !== undefined && !since.has(id)) since.set(id, answeredAt);
  }
  return shown
    .filter(({ entryId, at }) => at > (since.get(entryId) ?? Number.POSITIVE_INFINITY))
    .map(({ channel, entryId, text, at }) =>
      violation('acknowledged entry unread', `${entryId} (“${text}”) was unread again after it was acknowledged`, {
        ...{ account: name, channel, at },
      }),
    );
}

function vanished({ name, shown, history }: AccountSeen): Violation[] {
  const stored = new Set(history.map(({ entryId }) => entryId));
  return shown
    .filter(({ kind, entryId }) => kind === MESSAGE && !stored.has(entryId))
    .map(({ channel, entryId, text, at }) =>
      violation('entry vanished', `${entryId} (“${text}”) was unread, and is not in the history`, {
        ...{ account: name, channel, at },
      }),
    );
}

function neverShown({ name, shown, history }: AccountSeen): Violation[] {
  const seen = new Set(shown.map(({ entryId }) => entryId));
  return history
    .filter(({ entryId, sender }) => sender !== name && !seen.has(entryId))
    .map(({ channel, entryId, text }) =>
      violation('entry never unread', `${entryId} (“${text}”) is in the history, and was never unread`, {
        ...{ account: name, channel },
      }),
    );
}

function miscounted({ name, counted }: AccountSeen): Violation[] {
  return counted
    .filter(({ count, entryIds }) => count !== entryIds.length)
    .map(({ channel, count, entryIds }) =>
      violation('unread count', `${count} were counted and ${entryIds.length} were unread, from ${entryIds[0]} on`, {
        ...{ account: name, channel },
      }),
    );
}

/** A position is that of an acknowledgement; later ones may not be of an earlier one. */
function movedBack({ name, acknowledged, positions }: AccountSeen): Violation[] {
  const places = new Map(acknowledged.map(({ entryId }, place) => [entryId, place]));
  const newest = new Map<string, { place: number; entryId: string }>();
  return positions.flatMap(({ channel, entryId, at }) => {
    const place = entryId === null ? -1 : places.get(entryId);
    if (place === undefined) return [];
    const last = newest.get(channel);
    if (last === undefined || place >= last.place) {
      newest.set(channel, { place, entryId: entryId ?? 'none' });
      return [];
    }
    const what = `the position was ${last.entryId}, and then ${entryId ?? 'none'}`;
    return [violation('position moved back', what, { account: name, channel, at })];
  });
}
