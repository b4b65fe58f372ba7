import type { z } from 'zod';
import { stripFormatting } from '../domain/formatting.ts';
import type { EntryOutput } from '../wire/entry.ts';

/** What a line shows of an entry. */
export type Told = Pick<z.input<typeof EntryOutput>, 'kind' | 'sender' | 'text' | 'eventTime'> &
  Partial<Pick<z.input<typeof EntryOutput>, 'channel' | 'target' | 'gap'>> & { mention?: boolean | undefined };

/** `2026-01-31T08:00:05.250Z` has its day before this place, and its time to the second between the two. */
const DAY_CHARACTERS = 10;
const TIME_BEGINS = 11;
const TIME_ENDS = 19;

/** Characters that would begin a line, or hide one. */
const UNTOLD = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Marks of direction: who looks at the text would see a line in another order than it has. */
const TURNING = /\p{Bidi_Control}/gu;

const dayOf = (time: string): string => time.slice(0, DAY_CHARACTERS);
const clockOf = (time: string): string => time.slice(TIME_BEGINS, TIME_ENDS);

/**
 * Entries as lines for a model: a seventh of what they cost as JSON. The day stands before the first entry of each day. No line of
 * ours can be made by what people write, nor by their names: neither has line breaks here.
 * @param hasChannels whether each line names its channel
 */
export function entryLines(entries: readonly Told[], hasChannels: boolean): string[] {
  let day = '';
  return entries.flatMap((entry) => {
    const isNew = dayOf(entry.eventTime) !== day;
    day = dayOf(entry.eventTime);
    return [...(isNew ? [day] : []), entryLine(entry, hasChannels)];
  });
}

export function entryLine(entry: Told, hasChannel: boolean): string {
  const channel = hasChannel && entry.channel !== undefined ? `${entry.channel} ` : '';
  return `${clockOf(entry.eventTime)} ${channel}${entry.mention === true ? '(mentions you) ' : ''}${happened(entry)}`;
}

function happened({ kind, sender: nick, text, target, gap }: Told): string {
  const words = readable(text);
  // Names come from a server, which may have other rules for them than most.
  const sender = readable(nick);
  switch (kind) {
    case 'message':
      return `${sender}: ${words}`;
    case 'action':
      return `* ${sender} ${words}`;
    case 'join':
      return `${sender} joined`;
    case 'part':
      return `${sender} left${because(words)}`;
    case 'kick':
      return `${sender} kicked ${readable(target ?? '')}${because(words)}`;
    case 'topic':
      return `${sender} set the topic: ${words}`;
    case 'mode':
      return `${sender} set modes ${words}`;
    case 'gap':
      return `activity may be missing here${gap == null ? '' : `, from ${gap.from} to ${gap.to} (${gap.reason})`}`;
  }
}

const because = (reason: string): string => (reason === '' ? '' : ` (${reason})`);

const readable = (text: string): string => stripFormatting(text).replace(TURNING, '').replace(UNTOLD, ' ').trim();
