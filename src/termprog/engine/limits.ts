/**
 * Bounds on the cost of an application's output. They are not in the specification; each is far above any normal use.
 */

/** Cells or lines on one side of the screen; a window of 32,767 pixels with the smallest font has fewer. */
export const SCREEN_SIDE_MAX = 8_191;

/** Cells of a screen: sixteen times those of the largest displays, and 64 MiB. */
const SCREEN_CELLS_MAX = 4_194_304;

/** Returns the nearest size that every part of the terminal can handle: at least one cell, and not too many. */
export function boundSize({ columns, rows }: { columns: number; rows: number }): { columns: number; rows: number } {
  const wide = boundSide(columns);
  return { columns: wide, rows: Math.min(boundSide(rows), Math.floor(SCREEN_CELLS_MAX / wide)) };
}

function boundSide(cells: number): number {
  return Math.min(Math.max(1, Math.floor(cells)), SCREEN_SIDE_MAX);
}

/** Any number in a control sequence; greater ones count as this. */
export const PARAMETER_MAX = 65_535;

/** Characters of one control string (OSC, DCS); a function may allow fewer. Longer ones are dropped whole. */
export const CONTROL_STRING_MAX_CHARACTERS = 1_048_576;

/** Code points that join one cell, including the first. */
export const CLUSTER_MAX_CODE_POINTS = 32;

/** Characters of a title or icon name; the rest is left out. */
export const TITLE_MAX_CHARACTERS = 4_096;

/**
 * Characters of a link's address that can be opened. A longer address is kept with one character more, as a sign that
 * it is too long.
 */
export const LINK_MAX_CHARACTERS = 65_536;

/** Characters of a link's id. Text with a longer one has no link. */
export const LINK_ID_MAX_CHARACTERS = 2_083;

/** Characters of a hyperlink's command: its address, its id, and any other parameters. */
export const LINK_COMMAND_MAX_CHARACTERS = LINK_MAX_CHARACTERS + 1 + LINK_ID_MAX_CHARACTERS + 256;

/** Characters of all links that are on the screen and in the history; text beyond that has no link. */
export const LINKS_MAX_CHARACTERS = 8_388_608;

/** Characters of all clusters on the screen and in the history; code points beyond that are lost. */
export const CLUSTERS_MAX_CHARACTERS = 33_554_432;

/** Lines of the history that one resize may break again; older lines keep their breaks. */
export const REFLOW_LINES_MAX = 20_000;

/** Rows of the history beyond its configured lines that a resize to a narrower or lower window may make. */
export const BROKEN_ROWS_MAX = 20_000;

/** Characters of the address of a working directory: the longest path, with each byte escaped, and a host. */
export const DIRECTORY_MAX_CHARACTERS = 3 * 4_096 + 256;

/** Characters of a shell's mark. */
export const SHELL_MARK_MAX_CHARACTERS = 1_024;

/** Characters of a message for the desktop. */
export const NOTIFICATION_MAX_CHARACTERS = 2_048;

/** Characters of a command that changes or asks for colours: enough for all 256 with the longest names. */
export const COLOR_COMMAND_MAX_CHARACTERS = 65_536;
