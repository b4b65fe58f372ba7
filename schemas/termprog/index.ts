import { colorResources } from './colors.ts';
import { cursorResources } from './cursor.ts';
import { fontResources } from './fonts.ts';
import { glyphResources } from './glyphs.ts';
import { outlineFontResources } from './outline-fonts.ts';
import { permissionResources } from './permissions.ts';
import { programResources, toolkitResources } from './program.ts';
import type { XResourceRow } from './resource-table.ts';
import { scrollingResources } from './scrolling.ts';
import { selectionResources } from './selection.ts';
import { sessionResources } from './session.ts';
import { windowResources } from './window.ts';

/** Rows that belong together. */
export interface ResourceTheme {
  title: string;
  rows: readonly XResourceRow[];
}

const rows = [
  ...fontResources,
  ...outlineFontResources,
  ...glyphResources,
  ...colorResources,
  ...cursorResources,
  ...scrollingResources,
  ...selectionResources,
  ...permissionResources,
  ...windowResources,
  ...sessionResources,
  ...programResources,
  ...toolkitResources,
] as const;

/** The resources as `-help` and the manual page group them. */
export const termprogThemes: readonly ResourceTheme[] = [
  { title: 'Bitmap fonts', rows: fontResources },
  { title: 'Outline fonts', rows: outlineFontResources },
  { title: 'Glyphs', rows: glyphResources },
  { title: 'Colours', rows: colorResources },
  { title: 'Cursor', rows: cursorResources },
  { title: 'Scrolling', rows: scrollingResources },
  { title: 'Selections', rows: selectionResources },
  { title: 'What applications may do', rows: permissionResources },
  { title: 'Size and place', rows: windowResources },
  { title: 'Session', rows: sessionResources },
  { title: 'Menus and messages', rows: programResources },
  { title: 'Toolkit', rows: toolkitResources },
];

/** Every X resource of the terminal, theme by theme. @spec termprog#resources-and-their-fields */
export const termprogResources: readonly XResourceRow[] = rows;

/** The rows one by one, for types that follow from a row's name. */
export type TermprogResource = (typeof rows)[number];
