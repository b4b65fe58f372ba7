import type { WireEvent } from 'x11';
import { actions } from '../../actions/index.ts';
import type { Diagnostics } from '../../diagnostics.ts';
import type { Keymap } from '../../input/keymap.ts';
import type { Ports } from '../../ports/action.ts';
import { type Binding, PAUSE } from '../../translations/binding.ts';
import { neededEvents } from '../../translations/needed-events.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { EventMask } from '../desktop/event-mask.ts';
import { type EventHandlers, type EventRouter, NO_WINDOW } from '../desktop/event-router.ts';
import type { Focus } from '../desktop/focus.ts';
import type { Viewport } from '../frame/viewport.ts';
import { ActionDispatcher, loadBindings } from './action-dispatcher.ts';
import { internBoundAtoms } from './bound-atoms.ts';
import { type InputFilter, InputPipeline } from './input-pipeline.ts';
import { createKeyPort, type KeyboardState } from './key-port.ts';
import { Keyboard, loadKeymap } from './keyboard.ts';

export interface InputParts {
  connection: XConnection;
  router: EventRouter;
  window: number;
  eventMask: EventMask;
  viewport: Viewport;
  focus: Focus;
  /** The keyboard modes that the application set. */
  keyboard: KeyboardState;
  /** Ports of actions, except the view and the keys. */
  ports: Omit<Ports, 'view' | 'keys'>;
  translations: string | undefined;
  filters: readonly InputFilter[];
  diagnostics: Diagnostics;
  /** Sends an encoded key to the application. */
  sendKeys(text: string): void;
}

/**
 * Takes keys and buttons from the X server through filters and translations to actions. Owns the queue of input and the
 * keyboard's mapping.
 */
export class WindowInput {
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
    this.#pipeline = new InputPipeline({
      filters,
      deliver: (event) => dispatcher.dispatch(event),
      // Filters such as a search that opens while a key is down take its release, but the application got the press.
      taken: (event) => dispatcher.release(event),
      warn,
    });
    // A press that still waits was made before the focus left.
    const releaseAll = (): void => keys.releaseAll();
    focus.watch(() => {
      if (!focus.isHere) this.#pipeline.behindEvents(releaseAll);
    });
    this.#keyboard = new Keyboard({ load: () => loadKeymap(connection), pipeline: this.#pipeline });
  }

  /**
   * Starts the input.
   * @param keymap the keyboard's mapping, which may still be loading: keys wait for it
   */
  start(keymap: Promise<Keymap>): void {
    this.#keyboard.start(keymap);
    this.#observeBound();
  }

  /** Selects events that only bindings need, and routes those that are not of keys and buttons. */
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

  /** The keyboard's present mapping. */
  get keymap(): Keymap {
    return this.#keyboard.keymap;
  }

  /** Handlers for events of the window. */
  get windowHandlers(): EventHandlers {
    const take = (event: WireEvent): void => this.#pipeline.take(event);
    return { KeyPress: take, KeyRelease: take, ButtonPress: take, ButtonRelease: take, MotionNotify: take };
  }

  /** Handlers for changes of the keyboard's mapping. */
  get keyboardHandlers(): EventHandlers {
    return this.#keyboard.handlers;
  }

  stop(): void {
    this.#pipeline.stop();
  }
}
