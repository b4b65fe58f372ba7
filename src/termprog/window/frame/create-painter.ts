import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { OptionPort } from '../../ports/states.ts';
import { Graphics } from '../../render/graphics.ts';
import { Painter } from '../../render/painter.ts';
import type { WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { opacityOf } from './choose-visual.ts';
import type { LoadedColors } from './live-colors.ts';

export interface WindowPainterParts {
  connection: XConnection;
  window: number;
  visual: WindowVisual;
  options: OptionPort;
  fonts: SlotFonts;
  colors: LoadedColors;
  internalBorder: number;
  /** Pixels of the width that a scrollbar takes on the left. */
  insetLeft: number;
  /** A character was drawn that further fonts may contain. */
  onMissing(): void;
}

/** Creates the painter of a new window with the options in force. */
export function createPainter({ connection, window, options, ...parts }: WindowPainterParts): Painter {
  return new Painter({
    ...parts,
    graphics: new Graphics(connection, window),
    forcesProcedural: options.get('forceBoxChars'),
    boldIsBright: options.get('boldColors'),
    opacity: opacityOf(options),
  });
}
