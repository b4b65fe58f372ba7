import type { ClusterKind } from './cluster-kind.ts';
import type { PatternRole } from './routing-settings.ts';

/** The reason why a face is tried. */
export type RoleName = PatternRole | 'primary' | 'system';

/** The properties of a cluster that select the roles. */
export interface RoutedText {
  readonly kind: ClusterKind;
  readonly cells: 1 | 2;
  readonly isBold: boolean;
}

/** A row of the order. */
export interface Role {
  readonly name: RoleName;
  /** Whether its faces are tried for the text. */
  serves(text: RoutedText): boolean;
  /** Whether its faces count as fallback: they have a budget, and a limit of width. */
  readonly isFallback: boolean;
  /** Whether its faces are bold by name, so that bold is not requested from fontconfig. */
  readonly isBoldByName: boolean;
  /** Whether a face without an emoji's colours is deferred until the system faces with colours were tried. */
  readonly defersPlainEmoji: boolean;
  /** Whether colours are never taken from its faces. */
  readonly isMonochrome: boolean;
}

const always = (): boolean => true;
const isEmoji = ({ kind }: RoutedText): boolean => kind === 'emoji';

function role(name: RoleName, serves: Role['serves'], special: Partial<Role> = {}): Role {
  const plain = { isFallback: false, isBoldByName: false, defersPlainEmoji: false, isMonochrome: false };
  return { name, serves, ...plain, ...special };
}

/**
 * The roles in the order in which their faces are tried for a cluster. Procedural glyphs come before the system's
 * faces.
 * @spec termprog#terminal-widget-resources-termvt100 faceName to limitFontWidth
 */
export const ROLE_ORDER: readonly Role[] = [
  role('emoji', isEmoji),
  // Han is also wide; the face for one script is the more specific one.
  role('han', ({ kind }) => kind === 'han'),
  role('wideBold', (text) => text.isBold && text.cells === 2 && !isEmoji(text), { isBoldByName: true }),
  role('doublesize', (text) => text.cells === 2 || isEmoji(text)),
  role('bold', (text) => text.isBold && text.cells === 1 && !isEmoji(text), { isBoldByName: true }),
  role('primary', always, { defersPlainEmoji: true }),
  role('fallback', always, { isFallback: true }),
  role('emojiText', ({ kind }) => kind === 'emojiText', { isMonochrome: true }),
  role('system', always, { isFallback: true }),
];
