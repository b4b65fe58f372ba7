import type { WireEvent } from 'x11';
import { openAddress } from '../../desktop/open-address.ts';
import { ArmedLink, type PointerPlace } from '../../links/armed-link.ts';
import { openableAddress } from '../../links/link-address.ts';
import { linkAt, type PointedLink } from '../../links/link-at.ts';
import type { LinkPort } from '../../ports/links.ts';
import type { InputFilter } from '../input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

/** Characters of an address that messages show. */
const SHOWN_CHARACTERS = 80;

/** Links under the pointer, opened by the desktop. ours: decisions/0125 */
export function createLinks(parts: FeatureParts): { port: LinkPort; filter: InputFilter } {
  const { engine, viewport, grid, options, diagnostics, hostName, childEnvironment } = parts;
  const armed = new ArmedLink(() => options.get('multiClickTime'));
  const placeOf = (event: Pick<WireEvent, 'x' | 'y' | 'time'>): PointerPlace => {
    const { row, column } = grid.cellAt(event);
    return { row: row - viewport.linesAbove, column, time: event.time };
  };
  const linkUnder = ({ row, column }: PointerPlace): PointedLink | undefined => {
    const viewRow = row + viewport.linesAbove;
    const isInside = viewRow >= 0 && viewRow < engine.rows && column >= 0 && column < engine.columns;
    return isInside ? linkAt(engine, { row, column }) : undefined;
  };
  const open = (link: PointedLink): void => {
    const found = openableAddress(link.address, hostName);
    const tell = (reason: string): void =>
      diagnostics.warning(`the link ${shown(link.address)} can't be opened: ${reason}`);
    if ('refusal' in found) tell(found.refusal);
    else openAddress(found.address, childEnvironment(), tell);
  };
  return {
    port: {
      arm: (event) => {
        const place = placeOf(event);
        if (event.kind === 'press') armed.press(linkUnder(place), place, event.button);
      },
    },
    filter: {
      name: 'links',
      // It only looks on: the event goes on to the translations, which end a selection.
      filter: (event) => {
        if (!armed.isArmed) return false;
        // The release may have gone to another window.
        if (event.name === 'ButtonPress') armed.disarm();
        if (event.name === 'MotionNotify') armed.move(placeOf(event));
        if (event.name !== 'ButtonRelease') return false;
        const place = placeOf(event);
        const link = armed.release(place, event.keycode, () => linkUnder(place));
        if (link !== undefined) open(link);
        return false;
      },
    },
  };
}

/** An application's text in a message: as JSON, so that control characters do nothing. */
function shown(address: string): string {
  const cut = address.length > SHOWN_CHARACTERS ? `${address.slice(0, SHOWN_CHARACTERS)}…` : address;
  return JSON.stringify(cut);
}
