import type { WireEvent } from 'x11';
import { actions } from '../actions/index.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Ports } from '../ports/action.ts';
import { PENDING_ACTIONS } from '../translations/default-translations.ts';
import type { XConnection } from '../x11/connection.ts';
import { ActionDispatcher, loadBindings } from './action-dispatcher.ts';
import type { EventHandlers } from './event-router.ts';
import { type InputFilter, InputPipeline } from './input-pipeline.ts';
import { createKeyPort } from './key-port.ts';
import { Keyboard, loadKeymap } from './keyboard.ts';
import type { Viewport } from './viewport.ts';

export interface InputParts {
  connection: XConnection;
  viewport: Viewport;
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

  constructor({ connection, viewport, ports, translations, filters, diagnostics, sendKeys }: InputParts) {
    const warn = (message: string): void => diagnostics.warning(message);
    const keymap = (): Keymap => this.#keyboard.keymap;
    const keys = createKeyPort({ keymap, modes: ports.modes, viewport, options: ports.options, send: sendKeys });
    const dispatcher = new ActionDispatcher({
      keymap,
      bindings: loadBindings(translations, diagnostics),
      actions,
      pendingActions: PENDING_ACTIONS,
      ports: { ...ports, view: viewport, keys },
      warn,
    });
    this.#pipeline = new InputPipeline({ filters, deliver: (event) => dispatcher.dispatch(event), warn });
    this.#keyboard = new Keyboard({ load: () => loadKeymap(connection), pipeline: this.#pipeline });
  }

  /** @param keymap the keyboard's mapping, which may still be under way: keys wait for it */
  start(keymap: Promise<Keymap>): void {
    this.#keyboard.start(keymap);
  }

  /** Events of the window. */
  get windowHandlers(): EventHandlers {
    const take = (event: WireEvent): void => {
      this.#keyboard.noticeInput();
      this.#pipeline.take(event);
    };
    return { KeyPress: take, ButtonPress: take, ButtonRelease: take, MotionNotify: take };
  }

  /** Events of the keyboard's mapping. */
  get keyboardHandlers(): EventHandlers {
    return this.#keyboard.handlers;
  }

  stop(): void {
    this.#pipeline.stop();
  }
}
