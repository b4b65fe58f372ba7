import type { Diagnostics } from '../../diagnostics.ts';
import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';

/** Facts that help first when a terminal does not look or work as expected. */
export interface StartFacts {
  connection: Pick<XConnection, 'name' | 'screen'>;
  window: number;
  visual: Pick<WindowVisual, 'id' | 'depth'>;
  fonts: SlotFonts;
  grid: { columns: number; rows: number };
  /** Undefined when the command could not be started. */
  childId: number | undefined;
}

/** Logs the facts of the start, one line each. Typed and shown text is never logged. */
export function logStart({ info }: Pick<Diagnostics, 'info'>, facts: StartFacts): void {
  const { connection, window, visual, fonts, grid, childId } = facts;
  const { pixel_width: width, pixel_height: height } = connection.screen;
  info(`X server ${connection.name}, screen of ${width}x${height} pixels`);
  info(`window 0x${window.toString(16)}, visual 0x${visual.id.toString(16)} of depth ${visual.depth}`);
  info(`${fonts.kind} fonts, ${grid.columns}x${grid.rows} cells of ${fonts.cell.width}x${fonts.cell.height} pixels`);
  if (childId !== undefined) info(`the command runs as process ${childId}`);
}
