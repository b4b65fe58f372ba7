/**
 * Characters with which a name would look like another name: control characters, line and paragraph separators, halves
 * of characters, marks of direction, and those that fonts do not draw.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether a name has a character that a person can't see. Emoji that are joined from several have such characters, too.
 */
export const hasUnseenCharacter = (name: string): boolean => UNSEEN.test(name);

const UNSEEN_OR_BLANK = new RegExp(`${UNSEEN.source}|\\s`, 'gu');

/**
 * Returns the name with a visible mark in place of each character that is not seen: without those characters it could
 * be the name of another person.
 */
export const visibleName = (name: string): string => name.replace(UNSEEN_OR_BLANK, '\uFFFD');

/**
 * Characters without a shape of their own, marks of direction and tags among them. A program reads what is written with
 * them, and people do not see it. Left are those with which languages and emoji are written.
 */
const HIDDEN = /(?!\u00ad|\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Returns the text without what people do not see of it. */
export const withoutHiddenText = (text: string): string => text.replace(HIDDEN, '');
