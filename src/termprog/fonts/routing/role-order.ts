import type { ClusterKind } from './cluster-kind.ts';
import type { PatternRole } from './routing-settings.ts';

/** Why a face is asked. */
export type RoleName = PatternRole | 'primary' | 'system';

/** What decides which roles are asked. */
export interface RoutedText {
  readonly kind: ClusterKind;
  readonly cells: 1 | 2;
  readonly isBold: boolean;
}

/** A row of the order. */
export interface Role {
  readonly name: RoleName;
  /** Whether its faces are asked for the text. */
  serves(text: RoutedText): boolean;
  /** Whether its faces count as fallback: they have a budget, and a limit of width. */
  readonly isFallback: boolean;
  /** Whether its faces are bold by themselves, and nothing is to make them so. */
  readonly isBoldByName: boolean;
  /** Whether a face that lacks the colours of an emoji waits until a system face that has them was asked. */
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
 * The faces that are asked for a cluster, in order. Procedural glyphs stand before the system's.
 * @spec termprog#terminal-widget-resources-termvt100 faceName to limitFontWidth
 */
export const ROLE_ORDER: readonly Role[] = [
  role('emoji', isEmoji),
  // Han is wide as well; the face for one script is the more special one.
  role('han', ({ kind }) => kind === 'han'),
  role('wideBold', (text) => text.isBold && text.cells === 2 && !isEmoji(text), { isBoldByName: true }),
  role('doublesize', (text) => text.cells === 2 || isEmoji(text)),
  role('bold', (text) => text.isBold && text.cells === 1 && !isEmoji(text), { isBoldByName: true }),
  role('primary', always, { defersPlainEmoji: true }),
  role('fallback', always, { isFallback: true }),
  role('emojiText', ({ kind }) => kind === 'emojiText', { isMonochrome: true }),
  role('system', always, { isFallback: true }),
];
