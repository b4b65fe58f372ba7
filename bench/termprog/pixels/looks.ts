import { borderScenes, outlineScenes, reversedScrollbarScenes, type Scene, scenes, scrollbarScenes } from './scenes.ts';

/** Options with which both terminals are started, and the scenes that they then show. */
export interface Look {
  args: readonly string[];
  /** `Xft.dpi` as in the resource; without it, both compute it from the screen's size. */
  dpi?: string;
  scenes: Readonly<Record<string, Scene>>;
}

/** Unicode variants of fonts: with the 8-bit font `fixed` xterm would lack many characters. */
const unicodeFont = '-misc-fixed-medium-r-semicondensed--13-*-*-*-*-*-iso10646-1';
const largerUnicodeFont = '-misc-fixed-medium-r-normal--15-*-*-*-c-90-iso10646-1';

const face = (points: number): readonly string[] => ['-fa', 'DejaVu Sans Mono', '-fs', `${points}`];

/** The last one follows from the size that a screen reports: its pixels by its millimetres. */
const resolutions = ['96', '100', '99.887'];
const sizes = [8, 11, 14];

/** Scenes with only the characters of `fixed`; its Unicode twin shows the others. */
const latinScenes = Object.fromEntries(Object.entries(scenes).filter(([, { text }]) => /^[\0-\xff]*$/.test(text)));

/** Options of windows with a scrollbar. */
const scrollbars: Readonly<Record<string, readonly string[]>> = {
  'scrollbar on the left': [],
  'scrollbar on the right': ['-rightbar'],
  'scrollbar with a border': ['-b', '9', '-xrm', '*scrollBarBorder: 5'],
  'scrollbar in colours': ['-fg', 'red', '-bg', 'blue', '-bd', 'green'],
  'scrollbar of its own shape': ['-xrm', '*scrollbar.width: 20', '-xrm', '*scrollbar.minimumThumb: 40'],
  'scrollbar with a solid thumb': ['-xrm', '*scrollbar.thumb: None', '-xrm', '*scrollbar.thickness: 9'],
};

export const looks: Readonly<Record<string, Look>> = {
  fixed: { args: [], scenes: latinScenes },
  'fixed of Unicode': { args: ['-fn', unicodeFont], scenes },
  '9x15 of Unicode': { args: ['-fn', largerUnicodeFont], scenes },
  'fixed with a border': { args: ['-b', '9', '-bw', '3', '-bd', 'red'], scenes: borderScenes },
  'DejaVu 11 pt with a border': { args: [...face(11), '-b', '9', '-bw', '3', '-bd', 'red'], scenes: borderScenes },
  ...Object.fromEntries(
    Object.entries(scrollbars).map(([name, args]) => [
      name,
      { args: ['-sb', ...args], scenes: reversedScrollbarScenes },
    ]),
  ),
  'scrollbar in reverse video': { args: ['-sb', '-rv'], scenes: scrollbarScenes },
  ...Object.fromEntries(
    resolutions.flatMap((dpi) =>
      sizes.map((points): [string, Look] => [
        `DejaVu ${points} pt at ${dpi} dpi`,
        { args: face(points), dpi, scenes: outlineScenes },
      ]),
    ),
  ),
  'DejaVu 11 pt at what the screen tells': { args: face(11), scenes: outlineScenes },
};
