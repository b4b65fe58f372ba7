import type { XConnection } from '../../x11/x-connection.ts';
import { BurstCredit } from './burst-credit.ts';
import type { WindowAtoms } from './window-atoms.ts';

/** Actions of a _NET_WM_STATE request to the window manager; EWMH. */
const REMOVE_STATE = 0;
const ADD_STATE = 1;

/** Source indication: the request comes from an application, not from a pager; EWMH. */
const FROM_APPLICATION = 1;

const CLIENT_MESSAGE = 33;
const FORMAT_32 = 32;

/** SubstructureNotify and SubstructureRedirect: the mask that a window manager selects on the root window. */
const TO_MANAGER = 0x18_0000;

/**
 * Only one client may select this on the root window: if it is selected, a window manager runs; X11 protocol, events.
 */
const SUBSTRUCTURE_REDIRECT = 1 << 20;

const REPLACE = 0;

/**
 * Hints that a program may cause in a burst by switching the mode off and on, and the time until it may cause one more.
 */
const BURST_MAX = 5;
const INTERVAL_MS = 3_000;

export interface AttentionParts {
  connection: Pick<XConnection, 'client' | 'screen' | 'ask' | 'readProperty' | 'flush'>;
  window: number;
  atoms: Pick<WindowAtoms, 'netWmState' | 'demandsAttention' | 'atom'>;
  /** Whether a bell requests attention; mode 1042. */
  isWanted(): boolean;
  hasFocus(): boolean;
  /** Writes the window's hints, with urgency or without. */
  announceUrgency(isUrgent: boolean): void;
  /** A change waits for the next frame. */
  request(): void;
  nowMs(): number;
}

/**
 * Requests the user's attention by the urgency hint, which taskbars and tiling window managers show, and by the EWMH
 * state _NET_WM_STATE_DEMANDS_ATTENTION. The request ends when the window gets the focus. Both are written with frames,
 * and their rate is limited, so that window managers see few of a flood of bells.
 */
export class Attention {
  readonly #parts: AttentionParts;
  readonly #credit: BurstCredit;
  #isAsked = false;
  #isShown = false;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    this.#credit = new BurstCredit({ most: BURST_MAX, intervalMs: INTERVAL_MS, nowMs: () => parts.nowMs() });
  }

  /** The bell rings, or would ring if it had not just done so. A window that has the focus needs no hint. */
  takeBell(): void {
    if (this.#isAsked || !this.#parts.isWanted() || this.#parts.hasFocus()) return;
    if (this.#credit.take()) this.#change(true);
  }

  /** The focus came or went. */
  takeFocus(): void {
    if (!this.#parts.hasFocus()) return;
    this.#credit.refill();
    this.#change(false);
  }

  /** The mode has changed. */
  takeMode(): void {
    if (!this.#parts.isWanted()) this.#change(false);
  }

  /** Whether the next frame must write a change. */
  get isDue(): boolean {
    return this.#isAsked !== this.#isShown;
  }

  flush(): void {
    if (!this.isDue) return;
    const isAsked = this.#isAsked;
    this.#isShown = isAsked;
    this.#parts.announceUrgency(isAsked);
    this.#askManager(isAsked ? ADD_STATE : REMOVE_STATE);
    // A failure means that the window or the connection is gone, which is reported elsewhere.
    if (!isAsked) void this.#removeUnmanaged().catch(() => {});
  }

  #change(isAsked: boolean): void {
    if (this.#isAsked === isAsked) return;
    this.#isAsked = isAsked;
    this.#parts.request();
  }

  /**
   * The window manager owns the state. One that has ended leaves the state on the window, and its successor would show
   * it again: if no window manager runs, the terminal removes the state itself.
   */
  async #removeUnmanaged(): Promise<void> {
    const { connection, window, atoms } = this.#parts;
    const { root } = connection.screen;
    const { allEventMasks } = await connection.ask<{ allEventMasks: number }>('the window manager', (client, reply) =>
      client.GetWindowAttributes(root, reply),
    );
    if ((allEventMasks & SUBSTRUCTURE_REDIRECT) !== 0) return;
    const states = Buffer.from((await connection.readProperty(window, atoms.netWmState, atoms.atom)) ?? '', 'latin1');
    // A later frame may have requested attention again.
    if (this.#isShown) return;
    const kept: Buffer[] = [];
    for (let at = 0; at + 4 <= states.length; at += 4) {
      if (states.readUInt32LE(at) !== atoms.demandsAttention) kept.push(states.subarray(at, at + 4));
    }
    if (4 * kept.length === states.length) return;
    connection.client.ChangeProperty(REPLACE, window, atoms.netWmState, atoms.atom, 32, Buffer.concat(kept));
    // A window manager that started meanwhile may have read the old state.
    this.#askManager(REMOVE_STATE);
    connection.flush();
  }

  #askManager(action: number): void {
    const { connection, window, atoms } = this.#parts;
    const message = Buffer.alloc(32);
    message.writeUInt8(CLIENT_MESSAGE, 0);
    message.writeUInt8(FORMAT_32, 1);
    message.writeUInt32LE(window, 4);
    message.writeUInt32LE(atoms.netWmState, 8);
    for (const [index, value] of [action, atoms.demandsAttention, 0, FROM_APPLICATION].entries()) {
      message.writeUInt32LE(value, 12 + 4 * index);
    }
    connection.client.SendEvent(connection.screen.root, 0, TO_MANAGER, message);
  }
}
