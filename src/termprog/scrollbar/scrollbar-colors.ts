import type { ResourceLookup } from '../xresource/lookup.ts';
import { scrollbarResource } from './scrollbar-settings.ts';

/** A widget that no resource means: what is set for it is set for all. */
const ANY_NAME = '-';

const CLASSES = { background: 'Background', foreground: 'Foreground', borderColor: 'BorderColor' } as const;

/** Resources of its colours. */
export type ScrollbarColorName = keyof typeof CLASSES;

/**
 * The colour that the resources give to the scrollbar and not to every widget; undefined when they give none, so that it
 * has the terminal's. ours: decisions/0124
 */
export function ownScrollbarColor(resources: ResourceLookup, name: ScrollbarColorName): string | undefined {
  const own = scrollbarResource(resources, name);
  const common = resources.lookup(['vt100', ANY_NAME, name], ['VT100', ANY_NAME, CLASSES[name]]);
  return own === common ? undefined : own;
}

/** Reverse video swaps the colours; the border then keeps apart from the trough. */
export function reversedColors<Color>(
  { background, foreground, border }: { background: Color; foreground: Color; border: Color },
  isReversed: boolean,
): { background: Color; foreground: Color; border: Color } {
  return isReversed
    ? { background: foreground, foreground: background, border: background }
    : { background, foreground, border };
}
