/**
 * Control characters, line and paragraph separators, halves of characters, marks of direction, and what fonts draw as nothing:
 * by one of these a name would look like another name.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a person could not see all that a name is made of. Emoji that are joined from several have such characters, too. */
export const hasUnseenCharacter = (name: string): boolean => UNSEEN.test(name);
