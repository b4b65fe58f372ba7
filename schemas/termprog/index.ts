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

/** Every X resource of the terminal, theme by theme. @spec termprog#resources-and-their-fields */
export const termprogResources: readonly XResourceRow[] = rows;

/** The rows one by one, for types that follow from a row's name. */
export type TermprogResource = (typeof rows)[number];
