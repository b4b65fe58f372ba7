import type { WireEvent } from 'x11';
import { pathOfFileAddress } from '../../desktop/file-address.ts';
import { openAddress } from '../../desktop/open-address.ts';
import { ArmedLink, type PointerPlace } from '../../links/armed-link.ts';
import { checkFile } from '../../links/file-check.ts';
import { addressOfFile, openableAddress } from '../../links/link-address.ts';
import { type LinkOnScreen, linkAt, type PointedLink } from '../../links/link-at.ts';
import { LinkOverlay, type ShownLink } from '../../links/link-overlay.ts';
import { cutEnd, plainText, shownTarget } from '../../links/shown-target.ts';
import type { LinkPort } from '../../ports/shown-text.ts';
import { POINTER_MOTION_MASK } from '../desktop/event-mask.ts';
import { LinkPointer } from '../desktop/link-pointer.ts';
import type { ShownReason } from '../frame/shown-reason.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import { ShiftHover } from '../input/shift-hover.ts';
import type { FeatureParts } from './feature-parts.ts';

/** Characters of an address that messages show. */
const SHOWN_CHARACTERS = 80;

/** Columns that the bar leaves at its sides. */
const BAR_MARGINS = 2;

export interface LinkFeature {
  port: LinkPort;
  filter: InputFilter;
  beforeFrame(): void;
  stop(): void;
}

export type LinkParts = Pick<
  FeatureParts,
  | 'connection'
  | 'window'
  | 'focus'
  | 'eventMask'
  | 'engine'
  | 'viewport'
  | 'grid'
  | 'options'
  | 'lines'
  | 'bell'
  | 'diagnostics'
  | 'keymap'
  | 'hostName'
  | 'childEnvironment'
  | 'redraw'
>;

/** Links under the pointer: shown while Shift is held, opened by the desktop. ours: decision 125 */
export function createLinks(parts: LinkParts, reason: ShownReason): LinkFeature {
  const { connection, window, focus, eventMask, engine, viewport, grid, options, lines, redraw } = parts;
  const armed = new ArmedLink(() => options.get('multiClickTime'));
  const placeOf = (event: Pick<WireEvent, 'x' | 'y' | 'time'>): PointerPlace => {
    const { row, column } = grid.cellAt(event);
    return { row: row - viewport.linesAbove, column, time: event.time };
  };
  const linkUnder = ({ row, column }: Pick<PointerPlace, 'row' | 'column'>): LinkOnScreen | undefined => {
    const viewRow = row + viewport.linesAbove;
    const isInside = viewRow >= 0 && viewRow < engine.rows && column >= 0 && column < engine.columns;
    return isInside ? linkAt(engine, { row, column }) : undefined;
  };
  const hover = new ShiftHover({
    keysymOf: ({ keycode, buttons }) => parts.keymap().keysym(keycode, buttons),
    wantMotions: (isWanted) => eventMask.need('links', isWanted ? POINTER_MOTION_MASK : 0),
    changed: redraw,
  });
  focus.watch(() => hover.end());
  focus.watchLeaving(() => hover.leave());
  const pointer = new LinkPointer(connection, window);
  let pointed: LinkOnScreen | undefined;
  const shownTargetOf = rememberTarget(parts.hostName);
  /**
   * The bar covers the last row, unless the pointer is in it, or a reason is shown at the top because the cursor is in
   * the last row.
   */
  const barRow = (): number => {
    const row = hover.place && grid.cellAt(hover.place).row;
    const isAtTop = row === engine.rows - 1 || (reason.text !== undefined && reason.isAtTop);
    return isAtTop ? 0 : engine.rows - 1;
  };
  const shown = (): ShownLink | undefined => {
    if (pointed === undefined && reason.text === undefined) return undefined;
    const room = engine.columns - BAR_MARGINS;
    // A bar in the only row would hide the link itself.
    const target = pointed === undefined || engine.rows < 2 ? undefined : shownTargetOf(pointed.address, room);
    return {
      text: reason.text === undefined ? target : cutEnd(reason.text, room),
      barRow: barRow(),
      cellsIn: (row) => pointed?.cellsIn(row - viewport.linesAbove) ?? [],
    };
  };
  lines.add(new LinkOverlay({ shown, columns: () => engine.columns }));
  const takeKeyOrButton = (event: WireEvent): void => {
    reason.takePress();
    if (event.name === 'KeyPress') hover.press(event);
  };
  const handlers: Readonly<Record<string, (event: WireEvent) => void>> = {
    KeyPress: takeKeyOrButton,
    KeyRelease: (event) => hover.release(event),
    ButtonPress: (event) => {
      takeKeyOrButton(event);
      // The release of an earlier press may have gone to another window.
      armed.disarm();
    },
    MotionNotify: (event) => {
      hover.move(event);
      if (armed.isArmed) armed.move(placeOf(event));
    },
    ButtonRelease: (event) => {
      if (!armed.isArmed) return;
      const place = placeOf(event);
      const link = armed.release(place, event.keycode, () => linkUnder(place));
      if (link !== undefined) open(parts, link, (why) => reportRefusal(parts, reason, link, why));
    },
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
      // The filter only observes: the translations still get the event and end a selection.
      filter: (event) => {
        handlers[event.name ?? '']?.(event);
        return false;
      },
    },
    beforeFrame: () => {
      const { place } = hover;
      if (place === undefined && pointed === undefined) return;
      const cell = place && grid.cellAt(place);
      const now = cell && linkUnder({ row: cell.row - viewport.linesAbove, column: cell.column });
      const isSame = now?.address === pointed?.address && now?.name === pointed?.name;
      // The link's cells may have changed even if its address did not.
      pointed = now;
      if (isSame) return;
      pointer.show(now !== undefined);
      redraw();
    },
    stop: () => hover.end(),
  };
}

/**
 * Caches the last result of `targetOf`: each row of a frame needs it, and an application's address may take long to
 * format.
 */
function rememberTarget(hostName: string): (address: string, room: number) => string {
  let last: { address: string; room: number; target: string } | undefined;
  return (address, room) => {
    if (last?.address !== address || last.room !== room) {
      last = { address, room, target: targetOf(address, hostName, room) };
    }
    return last.target;
  };
}

/** Text for the bar: the link's target, or the reason why it can't be opened. */
function targetOf(address: string, hostName: string, room: number): string {
  const found = openableAddress(address, hostName);
  if ('address' in found) return shownTarget(found.address, room);
  return cutEnd(`not opened: ${found.refusal}: ${plainText(address.slice(0, SHOWN_CHARACTERS))}`, room);
}

/** Reports why a link was not opened: in the log, by the bell, and in the window. */
function reportRefusal(
  { bell, diagnostics }: Pick<FeatureParts, 'bell' | 'diagnostics'>,
  reason: ShownReason,
  { address }: PointedLink,
  why: string,
): void {
  if (reason.isStopped) return;
  diagnostics.warning(`the link ${quoted(address)} can't be opened: ${why}`);
  bell.ring();
  reason.show(`the link is not opened: ${plainText(why)}`);
}

/**
 * Opens a link by the desktop's program.
 * @param refuse is called with a short reason if the link is not opened
 */
function open(
  { hostName, childEnvironment }: Pick<FeatureParts, 'hostName' | 'childEnvironment'>,
  link: PointedLink,
  refuse: (why: string) => void,
): void {
  const found = openableAddress(link.address, hostName);
  if ('refusal' in found) {
    refuse(found.refusal);
    return;
  }
  const path = found.address.startsWith('file:') ? pathOfFileAddress(found.address, hostName) : undefined;
  if (path === undefined) {
    openAddress(found.address, childEnvironment(), refuse);
    return;
  }
  void checkFile(path).then((checked) => {
    if ('refusal' in checked) refuse(checked.refusal);
    else openAddress(addressOfFile(checked.path), childEnvironment(), refuse);
  });
}

/** An application's text for a message: JSON, so that control characters have no effect. */
function quoted(address: string): string {
  const cut = address.length > SHOWN_CHARACTERS ? `${address.slice(0, SHOWN_CHARACTERS)}…` : address;
  return JSON.stringify(cut);
}
