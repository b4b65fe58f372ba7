/** Control characters that begin, end and abort sequences; ECMA-48 5.2 and 5.3. */
export const ESC = '\x1b';
const BEL = '\x07';
const CAN = '\x18';
const SUB = '\x1a';
/** C1 forms of ESC [ and of ESC with P, X, ], ^ and _. */
export const C1_CSI = '\x9b';
const C1_STRING_INTRODUCERS = '\x90\x98\x9d\x9e\x9f';
const C1_ST = '\x9c';

/** What stands behind ESC to begin a control string. */
export const STRING_INTRODUCERS = 'PX]^_';

/** The next character that begins a sequence or a string. */
export const INTRODUCER = new RegExp(`[${ESC}${C1_CSI}${C1_STRING_INTRODUCERS}]`, 'g');

/** The next character that ends a control string; ESC also begins what follows. */
export const STRING_END = new RegExp(`[${BEL}${CAN}${SUB}${ESC}${C1_ST}]`, 'g');

/** What aborts whatever is being parsed. */
export const ABORTING = CAN + SUB;

/** A whole control sequence as most are: short, and of small numbers. */
export const PLAIN_SEQUENCE = new RegExp(`${ESC}\\[[?>=!]?(?:\\d{0,2}[;:]){0,16}\\d{0,2}[ !"$']?[@-~]`, 'y');
