import type { WireEvent } from 'x11';
import { actions } from '../actions/index.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Ports } from '../ports/action.ts';
import { type Binding, PAUSE } from '../translations/binding.ts';
import { neededEvents } from '../translations/needed-events.ts';
import type { XConnection } from '../x11/connection.ts';
import { ActionDispatcher, loadBindings } from './action-dispatcher.ts';
import { internBoundAtoms } from './bound-atoms.ts';
import type { EventMask } from './event-mask.ts';
import { type EventHandlers, type EventRouter, NO_WINDOW } from './event-router.ts';
import type { Focus } from './focus.ts';
import { type InputFilter, InputPipeline } from './input-pipeline.ts';
import { createKeyPort, type KeyboardState } from './key-port.ts';
import { Keyboard, loadKeymap } from './keyboard.ts';
import type { Viewport } from './viewport.ts';

export interface InputParts {
  connection: XConnection;
  router: EventRouter;
  window: number;
  eventMask: EventMask;
  viewport: Viewport;
  focus: Focus;
  /** What the application asked of the keyboard. */
  keyboard: KeyboardState;
  /** What actions reach, except the keyboard's way to the application. */
  ports: Omit<Ports, 'view' | 'keys'>;
  translations: string | undefined;
  filters: readonly InputFilter[];
  diagnostics: Diagnostics;
  /** Takes what a key means to the application. */
  sendKeys(text: string): void;
}

/** Keys and buttons on their way from the X server through filters and translations to actions. */
export class TerminalInput {
  readonly #pipeline: InputPipeline;
  readonly #keyboard: Keyboard;
  readonly #parts: Pick<InputParts, 'router' | 'window' | 'eventMask'>;
  readonly #ownBindings: readonly Binding[];

  constructor(parts: InputParts) {
    const { connection, viewport, focus, keyboard, ports, translations, filters, diagnostics, sendKeys } = parts;
    this.#parts = parts;
    const warn = (message: string): void => diagnostics.warning(message);
    const keymap = (): Keymap => this.#keyboard.keymap;
    const keys = createKeyPort({ keymap, keyboard, viewport, options: ports.options, send: sendKeys });
    const bindings = loadBindings(translations, diagnostics);
    this.#ownBindings = bindings.own;
    const dispatcher = new ActionDispatcher({
      keymap,
      bindings,
      actions,
      ports: { ...ports, view: viewport, keys },
      atomNamed: internBoundAtoms(connection, bindings.own),
      warn,
    });
    const release = (event: WireEvent): void => {
      if (event.name === 'KeyRelease') keys.releaseKey({ ...event, state: event.buttons });
    };
    const deliver = (event: WireEvent): void => {
      dispatcher.dispatch(event);
      release(event);
    };
    // A search that opens while a key is down takes its release, but the application got the press.
    this.#pipeline = new InputPipeline({ filters, deliver, taken: release, warn });
    // A press that still waits was made before the focus went.
    const releaseAll = (): void => keys.releaseAll();
    focus.watch(() => {
      if (!focus.isHere) this.#pipeline.behindEvents(releaseAll);
    });
    this.#keyboard = new Keyboard({ load: () => loadKeymap(connection), pipeline: this.#pipeline });
  }

  /** @param keymap the keyboard's mapping, which may still be under way: keys wait for it */
  start(keymap: Promise<Keymap>): void {
    this.#keyboard.start(keymap);
    this.#observeBound();
  }

  /** Asks for events that only bindings want, and lets those in that are not of keys and buttons. */
  #observeBound(): void {
    const { router, window, eventMask } = this.#parts;
    const events = this.#ownBindings.flatMap(({ steps }) =>
      steps.flatMap((step) => (step === PAUSE ? [] : step.event)),
    );
    const names = new Set<string>(events.filter((name) => !(name in this.windowHandlers)));
    const take = (event: WireEvent): void => this.#pipeline.take(event);
    if (names.size > 0) {
      router.observe(window, names, take);
      router.observe(NO_WINDOW, names, take);
    }
    eventMask.need('translations', neededEvents(this.#ownBindings));
  }

  /** The keyboard's mapping as it is now. */
  get keymap(): Keymap {
    return this.#keyboard.keymap;
  }

  /** Events of the window. */
  get windowHandlers(): EventHandlers {
    const take = (event: WireEvent): void => {
      this.#keyboard.noticeInput();
      this.#pipeline.take(event);
    };
    return { KeyPress: take, KeyRelease: take, ButtonPress: take, ButtonRelease: take, MotionNotify: take };
  }

  /** Events of the keyboard's mapping. */
  get keyboardHandlers(): EventHandlers {
    return this.#keyboard.handlers;
  }

  stop(): void {
    this.#pipeline.stop();
  }
}
