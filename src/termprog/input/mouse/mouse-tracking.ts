import type { ModeStates } from '../../engine/engine.ts';
import type { ActionEvent } from '../../ports/action-event.ts';
import { STATE } from '../keymap.ts';
import { buttonCode, isWheel, MOTION, modifierCode, NO_BUTTON } from './codes.ts';
import { encodingIn, type MouseEncoding, type Place } from './encodings.ts';
import type { HighlightTracking } from './highlight-tracking.ts';
import { type MouseProtocol, protocolIn } from './protocols.ts';

/** Where the pointer is in the text. Places may be outside of it. */
export interface TextGrid {
  /** The cell from 0. */
  cellAt(place: Place): { row: number; column: number };
  /** Pixels from the top left corner of the first cell. */
  textPixelAt(place: Place): Place;
  columns(): number;
  rows(): number;
  /** Pixels of all cells. */
  area(): { width: number; height: number };
}

export interface TrackingParts {
  modes: Pick<ModeStates, 'get'>;
  /** Whether applications may be told of the mouse now. */
  isAllowed(): boolean;
  /** Bits of an event's state that mean Meta. */
  metaBits(): number;
  grid: TextGrid;
  highlights: HighlightTracking;
  send(report: Uint8Array): void;
}

/** Bits of an event's state for the five buttons that have one; X11 protocol, KEYBUTMASK. */
const BUTTONS_WITH_BIT = 5;
const buttonBit = (button: number): number => 1 << (7 + button);

/** Of those that are held, and not turned. */
const HOLDABLE_BITS = buttonBit(1) | buttonBit(2) | buttonBit(3);

const FIRST_BUTTON = 1;
const X10_BUTTON_MAX = 3;

/**
 * What the application is told of the mouse. A press decides: the motions and the release that belong to a reported press
 * are the application's as well, whatever happens in between to Shift or to the permission; those of any other press never are.
 */
export class MouseTracking {
  readonly #parts: TrackingParts;
  /** Buttons that are held and whose presses were reported. */
  readonly #held = new Set<number>();
  /** The place of the last report. */
  #told: { place: Place; hasPixels: boolean } | undefined;
  /** The last event that was reported. */
  #reported: ActionEvent | undefined;
  /** What was found out about the last event: several actions may offer the same one. */
  #last: { event: ActionEvent; isTaken: boolean } | undefined;

  constructor(parts: TrackingParts) {
    this.#parts = parts;
  }

  /** Reports an event if the application wants it; true when it is the application's, so that nothing local happens. */
  offer(event: ActionEvent): boolean {
    if (this.#last?.event !== event) this.#last = { event, isTaken: this.#take(event) };
    return this.#last.isTaken;
  }

  /**
   * The pointer may be let go elsewhere from now on. The state of later events says so of the first five buttons; of the
   * others the application is told here, where it was told of them last.
   */
  releaseUnseen(): void {
    const event = this.#reported;
    if (event === undefined) return;
    for (const button of [...this.#held].filter((held) => held > BUTTONS_WITH_BIT))
      this.#takeRelease({ ...event, kind: 'release', button });
  }

  #take(event: ActionEvent): boolean {
    if (event.kind === 'press') return this.#takePress(event);
    if (event.kind === 'release') return this.#takeRelease(event);
    return event.kind === 'motion' && this.#takeMotion(event);
  }

  #takePress(event: ActionEvent): boolean {
    this.#forgetLost(event);
    const protocol = this.#protocolFor(event);
    const encoding = encodingIn(this.#parts.modes);
    const buttonMax = protocol === 'x10' ? X10_BUTTON_MAX : encoding.buttonMax;
    if (protocol === undefined || event.button < FIRST_BUTTON || event.button > buttonMax) return false;
    this.#held.add(event.button);
    const code = buttonCode(event.button);
    this.#report(event, encoding, { code: protocol === 'x10' ? code : code + this.#modifiersOf(event) });
    if (protocol === 'highlight' && event.button === FIRST_BUTTON) this.#parts.highlights.begin();
    return true;
  }

  #takeRelease(event: ActionEvent): boolean {
    if (!this.#held.delete(event.button)) return false;
    const protocol = protocolIn(this.#parts.modes);
    if (protocol === undefined || protocol === 'x10' || isTurned(event.button)) return true;
    const encoding = encodingIn(this.#parts.modes);
    const code = (encoding.namesReleased ? buttonCode(event.button) : NO_BUTTON) + this.#modifiersOf(event);
    const report = (): void => this.#report(event, encoding, { code, isRelease: true });
    if (protocol !== 'highlight' || event.button !== FIRST_BUTTON) report();
    else this.#parts.highlights.release(this.#cellAt(event), report);
    return true;
  }

  #takeMotion(event: ActionEvent): boolean {
    this.#forgetLost(event);
    const held = [...this.#held].filter((button) => !isWheel(button));
    const isOfPress = held.length > 0;
    if (!isOfPress && (event.state & HOLDABLE_BITS) !== 0) return false;
    const protocol = isOfPress ? protocolIn(this.#parts.modes) : this.#protocolFor(event);
    if (protocol === 'highlight') this.#parts.highlights.moveTo(this.#cellAt(event));
    if (protocol !== 'motion' && (protocol !== 'drag' || !isOfPress)) return isOfPress;
    const button = isOfPress ? buttonCode(Math.min(...held)) : NO_BUTTON;
    const encoding = encodingIn(this.#parts.modes);
    if (!this.#isTold(event, encoding)) {
      this.#report(event, encoding, { code: button + MOTION + this.#modifiersOf(event) });
    }
    return true;
  }

  /** What a press, or a motion without one, is reported by. */
  #protocolFor({ state }: ActionEvent): MouseProtocol | undefined {
    const isLocal = (state & STATE.shift) !== 0 || !this.#parts.isAllowed();
    return isLocal ? undefined : protocolIn(this.#parts.modes);
  }

  /** The release of a button may go to somebody else, such as a window manager that holds the pointer. */
  #forgetLost({ state }: ActionEvent): void {
    for (const button of this.#held) {
      if (button <= BUTTONS_WITH_BIT && (state & buttonBit(button)) === 0) this.#held.delete(button);
    }
  }

  #report(event: ActionEvent, encoding: MouseEncoding, report: { code: number; isRelease?: boolean }): void {
    const place = this.#placeOf(event, encoding);
    this.#told = { place, hasPixels: encoding.hasPixels };
    this.#reported = event;
    this.#parts.send(encoding.report({ isRelease: false, ...report, place }));
  }

  /** The last report was of the same place. */
  #isTold(event: ActionEvent, encoding: MouseEncoding): boolean {
    const place = this.#placeOf(event, encoding);
    const told = this.#told;
    return told?.hasPixels === encoding.hasPixels && told.place.x === place.x && told.place.y === place.y;
  }

  /** The nearest place in the text. */
  #placeOf(event: ActionEvent, { hasPixels }: MouseEncoding): Place {
    const { grid } = this.#parts;
    const area = grid.area();
    const size = hasPixels ? { x: area.width, y: area.height } : { x: grid.columns(), y: grid.rows() };
    const { x, y } = hasPixels ? grid.textPixelAt(event) : this.#cellAt(event);
    return { x: Math.max(0, Math.min(x, size.x - 1)), y: Math.max(0, Math.min(y, size.y - 1)) };
  }

  #cellAt(event: ActionEvent): Place {
    const { column, row } = this.#parts.grid.cellAt(event);
    return { x: column, y: row };
  }

  #modifiersOf({ state }: ActionEvent): number {
    return modifierCode(state, this.#parts.metaBits());
  }
}

/** Of the wheel that xterm knows: it tells the releases of the one to the sides. */
const isTurned = (button: number): boolean => button === 4 || button === 5;
