import type { z } from 'zod';
import { stripFormatting } from '../domain/formatting.ts';
import { visibleName, withoutHiddenText } from '../domain/unseen-characters.ts';
import type { EntryOutput } from '../wire/entry-output.ts';

/** The fields of an entry that its line shows. */
export type Told = Pick<z.input<typeof EntryOutput>, 'kind' | 'sender' | 'text' | 'eventTime'> &
  Partial<Pick<z.input<typeof EntryOutput>, 'channel' | 'target' | 'gap'>> & { mention?: boolean | undefined };

/**
 * Places in `2026-01-31T08:00:05.250Z`: the day ends here, and the time to the second stands between the two others.
 */
const DAY_CHARACTERS = 10;
const TIME_BEGINS = 11;
const TIME_ENDS = 19;

/** Characters that would begin a new line, or are half a character. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

const dayOf = (time: string): string => time.slice(0, DAY_CHARACTERS);
const clockOf = (time: string): string => time.slice(TIME_BEGINS, TIME_ENDS);

/**
 * Writes entries as lines for a model: a seventh of what they cost as JSON. The day stands before the first entry of
 * each day. Texts and names cannot forge a line of ours, because line breaks are
 * taken out of both, nor a name another one, because unseen characters get a mark.
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
  // Names come from a server, whose rules for them may differ from the usual ones.
  const sender = visibleName(nick);
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
      return `${sender} kicked ${visibleName(target ?? '')}${because(words)}`;
    case 'topic':
      return `${sender} set the topic: ${words}`;
    case 'mode':
      return `${sender} set modes ${words}`;
    case 'gap':
      return `activity may be missing here${gap == null ? '' : `, from ${gap.from} to ${gap.to} (${gap.reason})`}`;
  }
}

const because = (reason: string): string => (reason === '' ? '' : ` (${reason})`);

const readable = (text: string): string => withoutHiddenText(stripFormatting(text)).replace(BREAKING, ' ').trim();
