/**
 * Characters with which a name would look like another name: control characters, line and paragraph separators, halves
 * of characters, marks of direction, and those that fonts do not draw.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether a name has a character that a person can't see. Emoji that are joined from several have such characters, too.
 */
export const hasUnseenCharacter = (name: string): boolean => UNSEEN.test(name);
