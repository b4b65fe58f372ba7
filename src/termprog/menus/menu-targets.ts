import type { FontPort } from '../ports/fonts.ts';
import type { ModePort } from '../ports/modes.ts';
import type { OptionPort } from '../ports/options.ts';
import type { TitlePort } from '../ports/titles.ts';

/** What entries of menus read and change. */
export interface MenuTargets {
  options: OptionPort;
  modes: ModePort;
  fonts: FontPort;
  titles: TitlePort;
  /** The pixels of the terminal's window have alpha, so that its background may be translucent. */
  hasAlpha: boolean;
  /** Paints the whole window anew. */
  repaint(): void;
  /** Closes the window, as its user would. */
  quit(): void;
}
