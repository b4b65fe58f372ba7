import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';
import { stripFormatting } from './formatting.ts';

/** A run of nick characters, in any script: `ada-bot` is one token, and does not mention `ada`. */
const TOKEN = /[\p{L}\p{M}\p{N}_\-[\]{}\\|^`]+/gu;

/**
 * A nick that only networks with such nicks allow; people write it in any case, even where the network distinguishes
 * case.
 */
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Whether the text has the nick as a whole token, compared as the network compares nicks; formatting doesn't matter.
 * Other nicks and aliases don't count.
 * @spec connector#events match
 */
export function mentionsNick(text: string, nick: string, casemapping: Casemapping = USUAL_CASEMAPPING): boolean {
  const plain = stripFormatting(text);
  const keyOf = keysLike(nick, casemapping);
  const key = keyOf(nick);
  // Most texts do not contain the nick, which this test finds much faster than a look at each of their words.
  if (!keyOf(plain).includes(key)) return false;
  return (plain.match(TOKEN) ?? []).some((token) => keyOf(token) === key);
}

/**
 * Returns a fold that is the same for a word alone and within a text: the following letter decides which small sigma is
 * written.
 */
function keysLike(nick: string, casemapping: Casemapping): (text: string) => string {
  if (!BEYOND_ASCII.test(nick)) return (text) => fold(text, casemapping);
  return (text) => fold(text.toLowerCase().replaceAll('ς', 'σ'), casemapping);
}
