/** Answers of a terminal with pictures of ESC and BEL instead of these: ␛ and ␇. */
export const shown = (replies: string): string => replies.replaceAll('\x1b', '␛').replaceAll('\x07', '␇');

/**
 * Matches shown answers: whole control sequences and strings, of printable characters alone. BEL ends a string where it
 * ended the question.
 */
export const ANSWERS =
  /^(?:here I am|␛\[[<=>?]?[\d;]*[ -/]*[@-~]|␛[P\]][ -~\u00a0-\u2406\u2408-\u241a\u241c-\uffff]*(?:␛\\|␇))*$/;
