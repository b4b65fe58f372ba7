import { stripFormatting } from './formatting.ts';
import { nickKey } from './nick.ts';

/** A run of what nicks are made of, in any script: `ada-bot` is one token, and no mention of `ada`. */
const TOKEN = /[\p{L}\p{M}\p{N}_\-[\]{}\\|^`]+/gu;

/**
 * Whether the text has the nick as a whole token, without regard to case and formatting; no other nick and no alias counts.
 * @spec connector#events match
 */
export function mentionsNick(text: string, nick: string): boolean {
  const key = nickKey(nick);
  return (stripFormatting(text).match(TOKEN) ?? []).some((token) => nickKey(token) === key);
}
