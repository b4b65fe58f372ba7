import type { ModeStates } from '../../engine/engine.ts';
import type { ActionEvent } from '../../ports/action-event.ts';
import { STATE } from '../keymap.ts';
import { buttonCode, isWheel, MOTION, modifierCode, NO_BUTTON } from './codes.ts';
import type { HighlightTracking } from './highlight-tracking.ts';
import { type MouseProtocol, protocolIn } from './mouse-protocols.ts';
import { encodingIn, type MouseEncoding, type Place } from './report-encodings.ts';

/** Converts the pointer's place. Results may be outside the text. */
export interface TextGrid {
  /** Returns the cell, counted from 0. */
  cellAt(place: Place): { row: number; column: number };
  /** Returns pixels from the top left corner of the first cell. */
  textPixelAt(place: Place): Place;
  columns(): number;
  rows(): number;
  /** Pixels of all cells. */
  area(): { width: number; height: number };
}

export interface TrackingParts {
  modes: Pick<ModeStates, 'get'>;
  /** Whether mouse reports are permitted now. */
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

/** Bits of the buttons that are held rather than turned. */
const HOLDABLE_BITS = buttonBit(1) | buttonBit(2) | buttonBit(3);

const FIRST_BUTTON = 1;
const X10_BUTTON_MAX = 3;

/**
 * Reports the mouse to the application. The press decides: motions and the release after a reported press are the
 * application's as well, even if Shift or the permission changes in between; those after any other press never are. It
 * owns the held buttons and the last report.
 */
export class MouseTracking {
  readonly #parts: TrackingParts;
  /** Held buttons whose presses were reported. */
  readonly #held = new Set<number>();
  /** Place of the last report. */
  #reportedPlace: { place: Place; hasPixels: boolean } | undefined;
  /** The last reported event. */
  #reported: ActionEvent | undefined;
  /** Result for the last event: several actions may offer the same one. */
  #last: { event: ActionEvent; isTaken: boolean } | undefined;

  constructor(parts: TrackingParts) {
    this.#parts = parts;
  }

  /**
   * Reports an event if the application requested it. Returns true if the event belongs to the application, so that it
   * has no local effect.
   */
  offer(event: ActionEvent): boolean {
    if (this.#last?.event !== event) this.#last = { event, isTaken: this.#take(event) };
    return this.#last.isTaken;
  }

  /**
   * The pointer may be released in another window from now on. Later events show this for the first five buttons; for
   * the others the release is reported here, at the place of the last report.
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
    if (!this.#isReported(event, encoding)) {
      this.#report(event, encoding, { code: button + MOTION + this.#modifiersOf(event) });
    }
    return true;
  }

  /** Returns the protocol that applies to a press, or to a motion without one. */
  #protocolFor({ state }: ActionEvent): MouseProtocol | undefined {
    const isLocal = (state & STATE.shift) !== 0 || !this.#parts.isAllowed();
    return isLocal ? undefined : protocolIn(this.#parts.modes);
  }

  /** Drops buttons whose release went to another client, such as a window manager that grabs the pointer. */
  #forgetLost({ state }: ActionEvent): void {
    for (const button of this.#held) {
      if (button <= BUTTONS_WITH_BIT && (state & buttonBit(button)) === 0) this.#held.delete(button);
    }
  }

  #report(event: ActionEvent, encoding: MouseEncoding, report: { code: number; isRelease?: boolean }): void {
    const place = this.#placeOf(event, encoding);
    this.#reportedPlace = { place, hasPixels: encoding.hasPixels };
    this.#reported = event;
    this.#parts.send(encoding.report({ isRelease: false, ...report, place }));
  }

  /** Whether the last report had the same place. */
  #isReported(event: ActionEvent, encoding: MouseEncoding): boolean {
    const place = this.#placeOf(event, encoding);
    const last = this.#reportedPlace;
    return last?.hasPixels === encoding.hasPixels && last.place.x === place.x && last.place.y === place.y;
  }

  /** Returns the nearest place in the text. */
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

/** Whether the button is the vertical wheel; xterm reports releases of the horizontal one. */
const isTurned = (button: number): boolean => button === 4 || button === 5;
