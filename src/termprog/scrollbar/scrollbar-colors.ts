import type { ResourceLookup } from '../xresource/lookup.ts';
import { scrollbarResource } from './scrollbar-settings.ts';

/** A widget name that no resource mentions: a value set for it is set for all widgets. */
const ANY_NAME = '-';

const CLASSES = { background: 'Background', foreground: 'Foreground', borderColor: 'BorderColor' } as const;

/** Colour resources of the scrollbar. */
export type ScrollbarColorName = keyof typeof CLASSES;

/**
 * Returns the colour that the resources set for the scrollbar and not for every widget; undefined if there is none, so
 * that the terminal's colour applies. ours: decision 124
 */
export function ownScrollbarColor(resources: ResourceLookup, name: ScrollbarColorName): string | undefined {
  const own = scrollbarResource(resources, name);
  const common = resources.lookup(['vt100', ANY_NAME, name], ['VT100', ANY_NAME, CLASSES[name]]);
  return own === common ? undefined : own;
}

/** Swaps the colours under reverse video; the border then differs from the trough. */
export function reversedColors<Color>(
  { background, foreground, border }: { background: Color; foreground: Color; border: Color },
  isReversed: boolean,
): { background: Color; foreground: Color; border: Color } {
  return isReversed
    ? { background: foreground, foreground: background, border: background }
    : { background, foreground, border };
}
