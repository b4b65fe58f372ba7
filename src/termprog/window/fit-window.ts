import type { GridSize } from '../engine/grid.ts';
import type { SlotFonts } from '../fonts/slot-fonts.ts';
import type { CellSize } from '../render/rectangle.ts';
import { insetOf, readScrollbarSettings } from '../scrollbar/scrollbar-settings.ts';
import type { Settings } from '../xresource/settings.ts';
import type { SideInset } from './desktop/cell-grid.ts';
import { fitBorder, fitPlace, fitSize } from './desktop/fit-geometry.ts';
import { historyWarning } from './session/history-memory.ts';
import type { TerminalContext } from './terminal-context.ts';

/** Geometry of a new window. */
export interface WindowGeometry {
  cell: CellSize;
  size: GridSize;
  internalBorder: number;
  inset: SideInset;
  scrollbarWidth: number;
  place: Settings['window']['place'];
  iconPlace: Settings['window']['iconGeometry'];
}

/** Reduces sizes and offsets to those that fit, and reports each change. */
export function fitWindow(
  { window, scrolling }: Settings,
  { cell }: SlotFonts,
  { options, resources, diagnostics }: Pick<TerminalContext, 'options' | 'resources' | 'diagnostics'>,
): WindowGeometry {
  const warn = (message: string): void => diagnostics.warning(message);
  const inset = insetOf(readScrollbarSettings(options, resources, warn), options.get('scrollBar'));
  const scrollbarWidth = inset.left + inset.right;
  const internalBorder = fitBorder(window.internalBorder, cell, warn, scrollbarWidth);
  const size = fitSize(window, { cell, internalBorder, scrollbarWidth }, warn);
  const historyNote = historyWarning(scrolling.saveLines, size.columns);
  if (historyNote !== undefined) warn(historyNote);
  return {
    cell,
    size,
    internalBorder,
    inset,
    scrollbarWidth,
    place: fitPlace(window.place, warn),
    iconPlace: window.iconGeometry && fitPlace(window.iconGeometry, warn),
  };
}
