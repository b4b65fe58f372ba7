import { wrappedLines } from '../../../kernel/wrapped-lines.ts';
import type { Configuration } from '../../configuration.ts';
import { commentText, shownValue } from './comment-text.ts';
import { isSmall, isTooFine, linePoints } from './readable-size.ts';
import type { ScreenFacts } from './screen-facts.ts';
import type { ScriptCoverage } from './script-coverage.ts';
import type { SuggestedResource } from './suggestion.ts';

/** The fonts that draw text. */
export interface FontFacts {
  kind: 'outline' | 'bitmap';
  cell: { width: number; height: number };
  /** Warnings of a start, a line each. */
  problems: readonly string[];
}

/** The result of the suggested lines. */
export interface After extends FontFacts {
  lines: readonly string[];
  suggested: readonly SuggestedResource[];
  /** Places of other values that take precedence. */
  overruled: readonly { source: string; specifier: string }[];
}

export interface Facts {
  screen: ScreenFacts;
  configuration: Configuration;
  now: FontFacts;
  /** Undefined when no change is suggested. */
  after: After | undefined;
  /** Undefined without outline fonts. */
  coverage: ScriptCoverage | undefined;
  /** The reason why outline fonts are unavailable. */
  withoutOutline: string | undefined;
  /** Path of the example resource file. */
  example: string | undefined;
  /** A file that is no longer read once the server has resources. */
  lostFile: string | undefined;
}

/** Width of a line, and the column where the text after a label starts. */
const COLUMNS = 79;
const LABEL_COLUMNS = 10;

/** Most set resources that are listed; `-report-config` lists all. */
const SET_MAX = 8;

/** Returns the whole text: a resource file in which only the suggested lines are not comments. */
export function welcomeText(facts: Facts): string {
  const { after, example } = facts;
  const more = [
    ...(example === undefined ? [] : [`keys for copy and paste, and more to copy: ${example}`]),
    ...(suggestsBoxes(after)
      ? []
      : ['lines of boxes with gaps: termprog +fbx draws them itself, for good "forceBoxChars: true"']),
    'each resource with its value and source: termprog -report-config',
    'options: termprog -help; all there is to know: man termprog',
  ];
  return [
    ...introduction(after),
    '!',
    ...labelled('Screen', screenText(facts.screen)),
    ...setTexts(facts.configuration).flatMap((text, index) => labelled(index === 0 ? 'Set' : '', text)),
    ...labelled('Now', nowText(facts)),
    ...(after === undefined ? [] : [...labelled('Then', thenText(after, facts.screen)), ...after.lines, '!']),
    ...notes(facts).flatMap((text) => labelled('Note', text)),
    ...(facts.coverage === undefined ? [] : labelled('Scripts', coverageText(facts.coverage))),
    ...labelled('Locale', localeText(facts.configuration.locale)),
    ...more.flatMap((text, index) => labelled(index === 0 ? 'More' : '', text)),
  ].join('\n');
}

const suggestsBoxes = (after: After | undefined): boolean =>
  after?.suggested.some(({ name }) => name === 'forceBoxChars') === true;

function introduction(after: After | undefined): string[] {
  if (after === undefined) return ['! Welcome to termprog. There is nothing that you have to change.'];
  return [
    '! Welcome to termprog. The lines without an exclamation mark make text readable.',
    '! For all terminals that start from now on, until the X server ends:',
    '!     termprog -welcome | xrdb -merge',
    '! For good: write them into ~/.Xresources.',
  ];
}

/** Formats a comment with a label before its first line. */
function labelled(label: string, text: string): string[] {
  const lines = wrappedLines(commentText(text), COLUMNS - LABEL_COLUMNS - 2);
  return lines.map((line, index) => `! ${(index === 0 ? label : '').padEnd(LABEL_COLUMNS)}${line}`);
}

function screenText(screen: ScreenFacts): string {
  const { widthPixels, heightPixels, dpi, isDpiSet, seenDpi } = screen;
  const whence = isDpiSet ? 'by Xft.dpi' : 'by the size that the X server gives';
  const seen = isTooFine(screen) ? `; the monitor has ${Math.round(seenDpi)}` : '';
  return `${widthPixels}x${heightPixels} pixels, ${Math.round(dpi)} dots per inch ${whence}${seen}`;
}

function setTexts({ resolved }: Configuration): string[] {
  const set = resolved.flatMap(({ row, value, origin }) =>
    origin === undefined || value === undefined
      ? []
      : [`${row.scope === 'vt100' ? 'vt100.' : ''}${row.name}: ${shownValue(value)}, by ${origin.source}`],
  );
  if (set.length === 0) return ['no resource of the terminal, all have their defaults'];
  const more = set.length > SET_MAX ? [`and ${set.length - SET_MAX} more`] : [];
  return [...set.slice(0, SET_MAX), ...more];
}

function fontText({ kind, cell }: FontFacts): string {
  return `${kind === 'outline' ? 'an outline font' : 'a bitmap font'}, cells of ${cell.width}x${cell.height} pixels`;
}

function nowText({ now, screen }: Facts): string {
  const { height } = now.cell;
  const points = Math.round(linePoints(height, screen));
  return `${fontText(now)}: lines of ${points} points, ${isSmall(height, screen) ? 'which is small' : 'which is readable'}`;
}

function thenText(after: After, screen: ScreenFacts): string {
  const fonts = after.suggested.filter(({ name }) => name !== 'forceBoxChars');
  const names = fonts.map(({ value }) => value).join(', ');
  const size = after.suggested.some(({ name }) => name === 'faceSize') ? ' points' : '';
  const points = Math.round(linePoints(after.cell.height, screen));
  const boxes = suggestsBoxes(after) ? '; lines of boxes without the gaps that this font leaves' : '';
  return `${names}${size}: ${fontText(after)}, lines of ${points} points${boxes}`;
}

/** Returns the obstacles, and their remedies. */
function notes({ now, after, screen, withoutOutline, lostFile, configuration }: Facts): string[] {
  const ownSize = configuration.reader.text('faceName')?.match(/:(?:pixel)?size=/) ?? null;
  return [
    ...(withoutOutline === undefined ? [] : [`${withoutOutline}. Emoji and Chinese need outline fonts.`]),
    ...now.problems.filter((line) => line !== withoutOutline),
    ...(after === undefined && isSmall(now.cell.height, screen)
      ? ['no larger font was found for this screen; install one, such as fonts-dejavu-core']
      : []),
    ...(after !== undefined && ownSize !== null
      ? ['the size that vt100.faceName names itself wins over vt100.faceSize; take it out there']
      : []),
    ...(isTooFine(screen)
      ? [
          `if other programs are too small as well, tell them all of the monitor: Xft.dpi: ${Math.round(screen.seenDpi)}; then run this again`,
        ]
      : []),
    ...(after?.overruled ?? []).map(({ source, specifier }) => `${specifier} in ${source} wins over these lines`),
    ...(after === undefined || lostFile === undefined
      ? []
      : [`${lostFile} is read only while the X server has no resources: xrdb -merge ${lostFile} as well`]),
  ];
}

function coverageText({ covered, lacking }: ScriptCoverage): string {
  const packages = [...new Set(lacking.map(({ install }) => install))];
  const has = covered.length === 0 ? 'no installed font has any of the usual ones' : `fonts for ${covered.join(', ')}`;
  if (lacking.length === 0) return has;
  const names = lacking.map(({ name }) => name).join(', ');
  return `${has}. None for ${names}: install a font, such as those of ${packages.join(', ')}`;
}

function localeText(locale: string): string {
  if (/utf-?8/i.test(locale)) return locale;
  return `${locale} is not one of UTF-8: programs may show wrong characters; set LANG, for instance to C.UTF-8`;
}
