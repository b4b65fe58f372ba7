import type { FontPort } from '../ports/fonts.ts';
import type { ModePort } from '../ports/modes.ts';
import type { OptionPort } from '../ports/options.ts';
import type { TitlePort } from '../ports/titles.ts';

/** The state that menu entries read and change. */
export interface MenuTargets {
  options: OptionPort;
  modes: ModePort;
  fonts: FontPort;
  titles: TitlePort;
  /** Whether the window's pixels have alpha, so that its background may be translucent. */
  hasAlpha: boolean;
  /** Repaints the whole window. */
  repaint(): void;
  /** Closes the window, as its user would. */
  quit(): void;
}
