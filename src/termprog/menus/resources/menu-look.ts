import type { Rgb } from '../../color/parse-color.ts';
import { resolveColor } from '../../x11/color.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { Menu, MenuEntry } from '../menu-entry.ts';
import { DEFAULT_FONTS, type LabelFont, type LabelFonts, type LabelRun } from '../text/label-fonts.ts';
import { TITLE_FONT } from './built-in-resources.ts';
import { cursorNumber } from './cursor-names.ts';
import type { MenuChild, WidgetResources } from './widget-resources.ts';

/** A label in the form in which it is drawn. */
export interface LabelLook {
  runs: readonly LabelRun[];
  width: number;
  ascent: number;
  descent: number;
  foreground: Rgb;
  leftMargin: number;
  rightMargin: number;
  /** Additional height of the label, in percent of the font's height. */
  vertSpace: number;
}

export interface EntryLook extends LabelLook {
  entry: MenuEntry;
}

export interface LineLook {
  width: number;
  foreground: Rgb;
}

/** The look of a menu, as resources define it. */
export interface MenuLook {
  title: LabelLook;
  /** The entries of each group. */
  groups: readonly (readonly EntryLook[])[];
  /** The line before each group except the first. */
  lines: readonly LineLook[];
  background: Rgb;
  border: Rgb;
  borderWidth: number;
  leftMargin: number;
  rightMargin: number;
  topMargin: number;
  bottomMargin: number;
  /** Height of every entry; 0 if each has its own. */
  rowHeight: number;
  /** Number of the cursor's picture in the server's font `cursor`. */
  cursor: number;
}

export interface LookParts {
  connection: XConnection;
  fonts: LabelFonts;
  resources: WidgetResources;
  /** Whether black on white is white on black for the whole toolkit. */
  isReversed: boolean;
}

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** Defaults of the toolkit's own widgets; X Athena Widgets, SmeBSB and SmeLine. */
const LABEL_MARGIN = 4;
const LABEL_VERT_SPACE = 25;
const BORDER_WIDTH = 1;
const LINE_WIDTH = 1;
const LEFT_POINTER = 68;

/** Most fonts of a font set that are tried; each is a query to the server. */
const FONT_SET_MAX = 32;

/** Loads all that a menu needs to be shown: resources, and colours and fonts from the server. */
export async function loadMenuLook(menu: Menu, parts: LookParts): Promise<MenuLook> {
  const { resources, isReversed } = parts;
  const foreground = isReversed ? WHITE : BLACK;
  const background = isReversed ? BLACK : WHITE;
  const color = (name: string, fallback: Rgb, child?: MenuChild): Promise<Rgb> =>
    loadColor(parts, name, fallback, child);
  const label = (name: string, text: string): Promise<LabelLook> =>
    loadLabel(parts, { name, class: 'SmeBSB' }, text, foreground);
  const line = async (number: number): Promise<LineLook> => {
    const child: MenuChild = { name: `line${number}`, class: 'SmeLine' };
    return {
      width: resources.number(['lineWidth', 'LineWidth'], LINE_WIDTH, child),
      foreground: await color('foreground', foreground, child),
    };
  };
  const [title, groups, lines, own, border] = await Promise.all([
    label('menuLabel', resources.text(['label', 'Label']) ?? menu.title),
    Promise.all(
      menu.groups.map((group) =>
        Promise.all(
          group.map(async (entry): Promise<EntryLook> => {
            const child: MenuChild = { name: entry.name, class: 'SmeBSB' };
            return { entry, ...(await label(entry.name, resources.text(['label', 'Label'], child) ?? entry.label)) };
          }),
        ),
      ),
    ),
    Promise.all(menu.groups.slice(1).map((_, index) => line(index + 1))),
    color('background', background),
    color('borderColor', foreground),
  ]);
  return {
    title,
    groups,
    lines,
    background: own,
    border,
    borderWidth: resources.number(['borderWidth', 'BorderWidth'], BORDER_WIDTH),
    leftMargin: resources.number(['leftMargin', 'HorizontalMargins'], 0),
    rightMargin: resources.number(['rightMargin', 'HorizontalMargins'], 0),
    topMargin: resources.number(['topMargin', 'VerticalMargins'], 0),
    bottomMargin: resources.number(['bottomMargin', 'VerticalMargins'], 0),
    rowHeight: resources.number(['rowHeight', 'RowHeight'], 0),
    cursor: cursorOf(resources),
  };
}

async function loadLabel(parts: LookParts, child: MenuChild, text: string, foreground: Rgb): Promise<LabelLook> {
  const { resources, fonts } = parts;
  const [font, color] = await Promise.all([loadFont(parts, child), loadColor(parts, 'foreground', foreground, child)]);
  const fontSet = resources.text(['fontSet', 'FontSet'], child) ?? '';
  const others = fontSet.split(',', FONT_SET_MAX).map((name) => name.trim());
  const runs = font === undefined ? [] : await fonts.runsOf(text, font, others);
  return {
    runs,
    width: runs.reduce((sum, { width }) => sum + width, 0),
    ascent: font?.ascent ?? 0,
    descent: font?.descent ?? 0,
    foreground: color,
    leftMargin: resources.number(['leftMargin', 'HorizontalMargins'], LABEL_MARGIN, child),
    rightMargin: resources.number(['rightMargin', 'HorizontalMargins'], LABEL_MARGIN, child),
    vertSpace: resources.number(['vertSpace', 'VertSpace'], LABEL_VERT_SPACE, child),
  };
}

/** Opens a label's font; undefined when the server has no font at all. */
async function loadFont({ resources, fonts }: LookParts, child: MenuChild): Promise<LabelFont | undefined> {
  const name = resources.text(['font', 'Font'], child)?.trim();
  const isNamed = name !== undefined && name !== '' && !/^xtdefaultfont$/i.test(name);
  const font = isNamed ? await fonts.open(name) : undefined;
  if (font !== undefined) return font;
  if (isNamed && name !== TITLE_FONT) resources.refuse('font', name, 'a font of the X server', DEFAULT_FONTS[0]);
  return fonts.first(DEFAULT_FONTS);
}

async function loadColor({ connection, resources }: LookParts, name: string, fallback: Rgb, child?: MenuChild) {
  const className = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const spec = resources.text([name, className], child)?.trim();
  if (spec === undefined || spec === '') return fallback;
  const toolkit = { xtdefaultforeground: BLACK, xtdefaultbackground: WHITE }[spec.toLowerCase()];
  if (toolkit !== undefined) return fallback;
  const color = await resolveColor(connection, spec);
  if (color !== undefined) return color;
  resources.refuse(name, spec, 'a colour', 'the default');
  return fallback;
}

function cursorOf(resources: WidgetResources): number {
  const name = resources.text(['cursor', 'Cursor'])?.trim();
  if (name === undefined || name === '') return LEFT_POINTER;
  const number = cursorNumber(name);
  if (number === undefined) resources.refuse('cursor', name, 'the name of a cursor of X', 'left_ptr');
  return number ?? LEFT_POINTER;
}
