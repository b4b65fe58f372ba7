import { stripFormatting } from './formatting.ts';
import { nickKey } from './nick.ts';

/** A run of nick characters, in any script: `ada-bot` is one token, and does not mention `ada`. */
const TOKEN = /[\p{L}\p{M}\p{N}_\-[\]{}\\|^`]+/gu;

/**
 * Whether the text has the nick as a whole token; case and formatting don't matter. Other nicks and aliases don't count.
 * @spec connector#events match
 */
export function mentionsNick(text: string, nick: string): boolean {
  const plain = stripFormatting(text);
  // Most texts name nobody, which is seen much faster than by a look at each of their words.
  if (!looseKey(plain).includes(looseKey(nick))) return false;
  const key = nickKey(nick);
  return (plain.match(TOKEN) ?? []).some((token) => nickKey(token) === key);
}

/** The same for a word alone and within a text: which small sigma is written depends on what follows. */
const looseKey = (text: string): string => nickKey(text).replaceAll('ς', 'σ');
