/** Place of the pointer. Without a window manager the window under the pointer has the focus. */
export type Focus = 'elsewhere' | 'inside';

/** Content that both terminals show. */
export interface Scene {
  text: string;
  /** Default: `elsewhere`. */
  focus?: Focus;
}

const lines = (...all: string[]): string => all.join('\r\n');
const hideCursor = '\x1b[?25l';
const scene = (...all: string[]): Scene => ({ text: hideCursor + lines(...all) });
const colors = [0, 1, 2, 3, 4, 5, 6, 7];

const printable = (line: number): string =>
  String.fromCharCode(...Array.from({ length: 79 }, (_, column) => 33 + ((line * 7 + column) % 94)));

/** Scenes for a font of any kind, in a terminal of 80 columns and 20 rows. */
export const scenes: Readonly<Record<string, Scene>> = {
  ASCII: scene(...Array.from({ length: 18 }, (_, line) => printable(line))),
  'Latin-1': scene(
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß',
    'àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
    '¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿',
  ),
  bold: scene(...[0, 2, 5].map((line) => `\x1b[1m${printable(line)}\x1b[m`), '\x1b[1mÀÉÎÕÜ àéîõü ß þÿ\x1b[m'),
  'bold and colours': scene(
    ...colors.map(
      (n) => `\x1b[3${n}mfore\x1b[4${n}mboth\x1b[m \x1b[9${n}mbright\x1b[10${n}mboth\x1b[m \x1b[1;3${n}mbold\x1b[m`,
    ),
  ),
  '256 and true colours': scene(
    ...colors.map((row) =>
      [...Array(32).keys()]
        .map((column) => `\x1b[38;5;${row * 32 + column}mx\x1b[48;5;${255 - row * 32 - column}my`)
        .join(''),
    ),
    [...Array(64).keys()].map((n) => `\x1b[38;2;${n * 4};${255 - n * 4};128mt`).join(''),
  ),
  Cyrillic: scene('Съешь же ещё этих мягких французских булок, да выпей чаю', '\x1b[1mСъешь же ещё этих булок\x1b[m'),
  Greek: scene('Ξεσκεπάζω την ψυχοφθόρα βδελυγμία', '\x1b[1mΞεσκεπάζω την ψυχοφθόρα\x1b[m'),
  CJK: scene('漢字 かな カナ 中文 한국어', '\x1b[4m下線\x1b[m \x1b[7m反転\x1b[m \x1b[44;33m色\x1b[m \x1b[1m太字\x1b[m'),
  'line drawing': scene(
    ...['┌──┬──┐', '│  │  │', '├──┼──┤', '└──┴──┘'],
    ...['\x1b(0lqwqk', 'x x x', 'tqnqu', 'mqvqj', '`afgyz{|}~\x1b(B'],
  ),
  'scan lines': scene('\x1b(0oooppprrrsss\x1b(B'),
  'heavy and double lines': scene('┏━┳━┓ ╔═╦═╗', '┃ ┃ ┃ ║ ║ ║', '┣━╋━┫ ╠═╬═╣', '┗━┻━┛ ╚═╩═╝', '┍┑┞┦╒╕╟╢'),
  'rounded corners': scene('╭─╮', '╰─╯'),
  'block elements': scene('▀▄█▌▐░▒▓', '▁▂▃▅▆▇▉▊▋▍▎▏▔▕▖▗▘▙▚▛▜▝▞▟'),
  'underline and strike': scene(
    '\x1b[4munderlined gjpqy\x1b[m \x1b[9mstruck gjpqy\x1b[m \x1b[4;9mboth\x1b[m \x1b[1;4mbold\x1b[m \x1b[4;31mred\x1b[m',
  ),
  'double underline': scene('\x1b[21mtwice gjpqy\x1b[m'),
  'reverse and hidden': scene(
    '\x1b[7mreverse\x1b[m \x1b[7;1mbold\x1b[m \x1b[7;31mred\x1b[m \x1b[7;32;44mboth\x1b[m \x1b[8mhidden\x1b[m \x1b[8;44mhidden\x1b[m',
  ),
  dim: scene(
    ...colors.map((n) => `\x1b[2;3${n}mdim\x1b[m \x1b[2;9${n}mbright\x1b[m \x1b[2;38;5;${17 + 29 * n}mindexed\x1b[m`),
    '\x1b[2mdefault\x1b[m \x1b[2;38;2;77;101;202mtrue\x1b[m',
  ),
  'dim and reverse': scene('\x1b[2;7;31mred\x1b[m \x1b[2;7mdefault\x1b[m \x1b[2;33;44mblue\x1b[m'),
  'dim and bold': scene('\x1b[2;1;31mred\x1b[m \x1b[2;1mdefault\x1b[m'),
  'reversed screen': scene('\x1b[?5hplain \x1b[7mreverse\x1b[m \x1b[31mred\x1b[m \x1b[1mbold\x1b[m'),
  'cursor, unfocused': { text: 'text\x1b[1;3H' },
  'cursor, focused': { text: 'text\x1b[1;3H', focus: 'inside' },
  'cursor, focused on colours': { text: '\x1b[31;44mtext\x1b[m\x1b[1;3H', focus: 'inside' },
  'cursor, underline': { text: '\x1b[4 qtext\x1b[1;3H', focus: 'inside' },
  'cursor, bar': { text: '\x1b[6 qtext\x1b[1;3H', focus: 'inside' },
  'cursor on a wide character, focused': { text: '漢字\x1b[1;1H', focus: 'inside' },
  'cursor on a wide character, unfocused': { text: '漢字\x1b[1;1H' },
};

/** Scenes for outline fonts, which alone have italics. */
export const outlineScenes: Readonly<Record<string, Scene>> = {
  ...scenes,
  italic: scene('\x1b[3mThe quick brown fox jumps over\x1b[m \x1b[1;3mthe lazy dog\x1b[m \x1b[3;4munderlined\x1b[m'),
};

const many = (lines: number): Scene => ({
  text: hideCursor + [...Array(lines).keys()].map((line) => `${printable(line)}\r\n`).join(''),
});

/** Scenes of the scrollbar: its thumb grows shorter, and moves. */
export const scrollbarScenes: Readonly<Record<string, Scene>> = {
  'scrollbar, no history': scene(printable(1)),
  'scrollbar, some history': many(30),
  'scrollbar, more history': many(333),
  'scrollbar, full history': many(1_100),
};

/**
 * Scenes with the screen's own reversal, because with `-rv` the toolkit of the reference has another border. ours:
 * decision 124
 */
export const reversedScrollbarScenes: Readonly<Record<string, Scene>> = {
  ...scrollbarScenes,
  'scrollbar, reversed': { text: `${many(50).text}\x1b[?5h` },
};

/** Scenes of a window with a border and much padding. */
export const borderScenes: Readonly<Record<string, Scene>> = {
  'border and padding': scene(...[1, 2, 3].map(printable)),
  'border and padding, reversed': scene(`\x1b[?5h${printable(1)}`),
};
