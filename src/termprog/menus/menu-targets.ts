import type { FontPort, TitlePort } from '../ports/appearance.ts';
import type { ModePort, OptionPort } from '../ports/states.ts';

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
