import { stripFormatting } from './formatting.ts';
import { nickKey } from './nick.ts';

/** A run of nick characters, in any script: `ada-bot` is one token, and does not mention `ada`. */
const TOKEN = /[\p{L}\p{M}\p{N}_\-[\]{}\\|^`]+/gu;

/**
 * Whether the text has the nick as a whole token; case and formatting don't matter. Other nicks and aliases don't count.
 * @spec connector#events match
 */
export function mentionsNick(text: string, nick: string): boolean {
  const key = nickKey(nick);
  return (stripFormatting(text).match(TOKEN) ?? []).some((token) => nickKey(token) === key);
}
