import type { WireEvent } from 'x11';
import type { Diagnostics } from '../diagnostics.ts';
import type { Engine, Row } from '../engine/engine.ts';
import { encodeKey } from '../input/key-encoder.ts';
import type { Keymap } from '../input/keymap.ts';
import { isModifier } from '../input/keysyms.ts';
import type { Action, ActionEvent, TerminalPort } from '../ports.ts';
import type { Pty } from '../pty/pty.ts';
import type { BitmapRenderer, ShownCursor } from '../render/bitmap-renderer.ts';
import type { ActionCall, Binding } from '../translations/binding.ts';
import type { XConnection } from '../x11/connection.ts';
import { FrameScheduler } from './frame-scheduler.ts';
import { findCalls, keyModifiers } from './keyboard.ts';
import { Viewport } from './viewport.ts';
import type { WindowAtoms } from './window-atoms.ts';

/** What a live window is made of. */
export interface TerminalParts {
  connection: XConnection;
  window: number;
  atoms: WindowAtoms;
  engine: Engine;
  renderer: BitmapRenderer;
  pty: Pty;
  keymap: Keymap;
  bindings: readonly Binding[];
  actions: readonly Action[];
  /** Actions that are described and not built. */
  pendingActions: readonly string[];
  diagnostics: Diagnostics;
}

export interface TerminalBehavior {
  internalBorder: number;
  alwaysHighlight: boolean;
  scrollOnOutput: boolean;
  scrollOnKey: boolean;
  hold: boolean;
  /** Monotonic. */
  nowMs(): number;
  /** The user closed the window, or the child ended. */
  onClose(): void;
  reloadKeymap(): Promise<Keymap>;
}

/** Real focus, and focus by the pointer where no window has it; X11 protocol, FocusIn. */
const FOCUS_DETAIL_POINTER = 5;

/** Keys that may wait for the server to tell a changed mapping. */
const HELD_KEYS_MAX = 256;

/** Owns the live state: events come in here and go to actions, the child and the renderer. */
export class TerminalWindow implements TerminalPort {
  readonly #parts: TerminalParts;
  readonly #behavior: TerminalBehavior;
  readonly #frames: FrameScheduler;
  readonly #viewport = new Viewport();
  readonly #toldActions = new Set<string>();
  #keymap: Keymap;
  #hasFocus = false;
  #hasPointerFocus = false;
  #mappingsUnderWay = 0;
  readonly #heldKeys: WireEvent[] = [];
  #needsFullPaint = true;
  #childHasEnded = false;
  readonly #handlers: Readonly<Record<string, (event: WireEvent) => void>> = {
    KeyPress: (event) => this.#handleKey(event),
    ButtonPress: (event) => this.#handleInput(event, 'button', 0),
    ButtonRelease: (event) => this.#handleInput(event, 'button', 0),
    MotionNotify: (event) => this.#handleInput(event, 'motion', 0),
    Expose: (event) => this.#handleExpose(event),
    ConfigureNotify: (event) => this.#handleResize(event),
    FocusIn: (event) => this.#handleFocus(event),
    FocusOut: (event) => this.#handleFocus(event),
    EnterNotify: (event) => this.#handleCrossing(event),
    LeaveNotify: (event) => this.#handleCrossing(event),
    ClientMessage: (event) => this.#handleMessage(event),
    MappingNotify: () => this.#handleMapping(),
  };

  constructor(parts: TerminalParts, behavior: TerminalBehavior) {
    this.#parts = parts;
    this.#behavior = behavior;
    this.#keymap = parts.keymap;
    this.#frames = new FrameScheduler({
      paint: () => this.#paint(),
      isHeldBack: () => parts.engine.modes.synchronizedOutput,
      nowMs: () => behavior.nowMs(),
    });
    parts.pty.listen({ onData: (bytes) => this.#takeOutput(bytes), onEnd: () => this.#takeChildEnd() });
  }

  get rows(): number {
    return this.#parts.engine.rows;
  }

  scrollBy(lines: number): void {
    if (this.#viewport.scrollBy(lines, this.#parts.engine.historyLines)) this.#repaintView();
  }

  sendKey({ kind, keysym, state }: ActionEvent): void {
    if (kind !== 'key') return;
    const { engine } = this.#parts;
    const text = encodeKey(keysym, keyModifiers(this.#keymap, state), engine.modes);
    if (text === '') return;
    if (this.#behavior.scrollOnKey && this.#viewport.toBottom()) this.#repaintView();
    this.send(text);
  }

  bell(): void {
    if (this.#parts.connection.isOpen) this.#parts.connection.client.Bell(0);
  }

  /** Input for the child; discarded once it has ended. */
  send(text: string): void {
    if (!this.#childHasEnded) this.#parts.pty.write(Buffer.from(text, 'utf8'));
  }

  /** Ends the frames; the window itself goes with the connection. */
  close(): void {
    this.#frames.stop();
    if (!this.#childHasEnded) this.#parts.pty.hangUp();
  }

  handleEvent(event: WireEvent): void {
    this.#handlers[event.name ?? '']?.(event);
  }

  /** The mapping of keys changed, for example by setxkbmap(1); keys pressed since then are of the new one. */
  #handleMapping(): void {
    this.#mappingsUnderWay += 1;
    const takeUp = (keymap: Keymap | undefined): void => {
      this.#keymap = keymap ?? this.#keymap;
      this.#mappingsUnderWay -= 1;
      if (this.#mappingsUnderWay === 0) for (const event of this.#heldKeys.splice(0)) this.#handleKey(event);
    };
    // Without an answer the connection is gone; that is told of elsewhere.
    this.#behavior.reloadKeymap().then(takeUp, () => takeUp(undefined));
  }

  #handleKey(event: WireEvent): void {
    if (this.#mappingsUnderWay === 0) {
      this.#handleInput(event, 'key', this.#keymap.keysym(event.keycode, event.buttons));
    } else if (this.#heldKeys.length < HELD_KEYS_MAX) this.#heldKeys.push(event);
  }

  #takeOutput(bytes: Buffer): void {
    const { engine } = this.#parts;
    const { historyLines } = engine;
    engine.write(bytes);
    // A view into the history keeps its distance from the bottom unless output brings it back there.
    if (this.#viewport.linesAbove > 0) {
      if (this.#behavior.scrollOnOutput || engine.historyLines < historyLines) this.#viewport.toBottom();
      this.#needsFullPaint = true;
    }
    this.#frames.request(bytes.length);
  }

  #takeChildEnd(): void {
    this.#childHasEnded = true;
    this.#paint();
    if (!this.#behavior.hold) this.#behavior.onClose();
  }

  #handleInput(event: WireEvent, kind: ActionEvent['kind'], keysym: number): void {
    const input: ActionEvent = { kind, keysym, state: event.buttons };
    const calls = findCalls(this.#parts.bindings, this.#keymap, event);
    if (calls !== undefined) for (const call of calls) this.#runAction(call, input);
    else if (kind === 'key' && !isModifier(keysym)) this.sendKey(input);
  }

  #runAction({ action: name, parameters }: ActionCall, event: ActionEvent): void {
    const action = this.#parts.actions.find((candidate) => candidate.name === name);
    if (action !== undefined) action.run(this, event, parameters);
    else this.#tellMissingAction(name);
  }

  /** Once for each: a bound button would fill the screen with it. */
  #tellMissingAction(name: string): void {
    if (this.#toldActions.has(name)) return;
    this.#toldActions.add(name);
    const isPending = this.#parts.pendingActions.includes(name);
    this.#parts.diagnostics.warning(
      isPending ? `action ${name}() has no effect in this version` : `translations: there is no action ${name}()`,
    );
  }

  #handleExpose({ x, y, width, height, count }: WireEvent): void {
    this.#parts.renderer.forget({ x, y, width, height });
    this.#needsFullPaint = true;
    // More rectangles of the same exposure follow.
    if (count === 0) this.#paint();
  }

  #handleResize({ width, height }: WireEvent): void {
    const { engine, renderer, pty } = this.#parts;
    const border = 2 * this.#behavior.internalBorder;
    const columns = Math.max(1, Math.floor((width - border) / renderer.cell.width));
    const rows = Math.max(1, Math.floor((height - border) / renderer.cell.height));
    if (columns === engine.columns && rows === engine.rows) return;
    engine.resize(columns, rows);
    renderer.resize(columns, rows);
    if (!this.#childHasEnded) pty.resize({ columns, rows, width: width - border, height: height - border });
    this.#viewport.toBottom();
    this.#repaintView();
  }

  #handleFocus({ name, detail }: WireEvent): void {
    const isIn = name === 'FocusIn';
    if (detail === FOCUS_DETAIL_POINTER) this.#hasPointerFocus = isIn;
    else this.#hasFocus = isIn;
    this.#paint();
  }

  /** Entering a window gives it the keys when no other window has the focus. */
  #handleCrossing({ name, rawData }: WireEvent): void {
    const followsPointer = ((rawData[31] ?? 0) & 1) !== 0;
    this.#hasPointerFocus = name === 'EnterNotify' && followsPointer;
    this.#paint();
  }

  #handleMessage({ message_type: type, data, rawData }: WireEvent): void {
    const { connection, atoms } = this.#parts;
    if (type !== atoms.wmProtocols) return;
    if (data[0] === atoms.wmDeleteWindow) this.#behavior.onClose();
    if (data[0] === atoms.netWmPing) this.#answerPing(connection, rawData);
  }

  /** The same message, sent to the root window; EWMH _NET_WM_PING. */
  #answerPing({ client, screen }: XConnection, message: Buffer): void {
    const answer = Buffer.from(message);
    answer.writeUInt32LE(screen.root, 4);
    client.SendEvent(screen.root, 0, SUBSTRUCTURE_MASK, answer);
  }

  #repaintView(): void {
    this.#needsFullPaint = true;
    this.#frames.request(0);
  }

  #paint(): void {
    const { connection, engine, renderer } = this.#parts;
    if (!connection.isOpen) return;
    const damage = engine.takeDamage();
    const { linesAbove } = this.#viewport;
    const isWhole = this.#needsFullPaint;
    this.#needsFullPaint = false;
    renderer.paint({
      damage: isWhole ? { first: 0, last: engine.rows - 1 } : damage,
      readRow: (row: number, target: Row) => engine.readRow(row - linesAbove, target),
      cursor: this.#shownCursor(linesAbove),
    });
    connection.client.flush();
  }

  #shownCursor(linesAbove: number): ShownCursor | undefined {
    const { cursor, rows } = this.#parts.engine;
    const row = cursor.row + linesAbove;
    if (!cursor.isVisible || row >= rows) return undefined;
    const isSolid = this.#hasFocus || this.#hasPointerFocus || this.#behavior.alwaysHighlight;
    return { column: cursor.column, row, shape: cursor.shape, isSolid };
  }
}

/** SubstructureNotify and SubstructureRedirect: window managers listen by these on the root window. */
const SUBSTRUCTURE_MASK = 0x18_0000;
