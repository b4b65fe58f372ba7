/** Bounds of what an application's output can cost. None is in the specification; each is far above any honest use. */

/** Cells or lines on one side of the screen; a window of 32,767 pixels with the smallest font has fewer. */
export const SCREEN_SIDE_MAX = 8_191;

/** Characters of one control sequence, between ESC [ and its final byte. */
export const CONTROL_SEQUENCE_MAX_CHARACTERS = 1_024;

/** Characters of one control string (OSC, DCS, APC, PM, SOS); longer ones are dropped whole. */
export const CONTROL_STRING_MAX_CHARACTERS = 1_048_576;

/** Any number in a control sequence. */
export const PARAMETER_MAX = 65_535;

/** Code points without width that join one cell. */
export const CLUSTER_MAX_JOINERS = 32;

/** Characters of a title or icon name. */
export const TITLE_MAX_CHARACTERS = 4_096;
