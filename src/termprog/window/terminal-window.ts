import { messageOf } from '../../kernel/errors.ts';
import { runProgram } from '../desktop/run-program.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { TerminalEngine } from '../engine/terminal-engine.ts';
import { CellGrid } from './desktop/cell-grid.ts';
import { DesktopWindow } from './desktop/desktop-window.ts';
import { NO_WINDOW } from './desktop/event-router.ts';
import { Notifications } from './desktop/notifications.ts';
import { createTitlePort } from './desktop/title-port.ts';
import { createFeatures, type Features } from './features/index.ts';
import { FontSwitching } from './fonts/font-switching.ts';
import { takesBlinkRequests } from './frame/cursor-blink.ts';
import { FrameClock } from './frame/frame-clock.ts';
import { createFrameFence } from './frame/frame-fence.ts';
import { createApplicationColors } from './frame/live-colors.ts';
import { OrderedWork } from './frame/ordered-work.ts';
import { WindowPicture } from './frame/window-picture.ts';
import { createTextInput } from './input/text-routing.ts';
import { WindowInput } from './input/window-input.ts';
import { ChildSession } from './session/child-session.ts';
import { createEngineHost, type HostParts } from './session/create-engine-host.ts';
import { createSelectionHost } from './session/selection-host.ts';
import type { TerminalBehavior, TerminalParts } from './terminal-parts.ts';
import { ThrottledLog } from './throttled-log.ts';

type Send = (input: string | Uint8Array) => void;

/**
 * Assembles the rooms of a window: the engine and its child, the picture, the desktop, input and features. It owns them
 * from the start to the ending steps.
 */
export class TerminalWindow {
  readonly #parts: TerminalParts;
  readonly #behavior: TerminalBehavior;
  readonly #clock: FrameClock;
  readonly #engine: TerminalEngine;
  readonly #desktop: DesktopWindow;
  readonly #picture: WindowPicture;
  readonly #grid: CellGrid;
  readonly #fonts: FontSwitching;
  readonly #features: Features;
  readonly #input: WindowInput;
  readonly #session: ChildSession;
  #isDestroyed = false;

  constructor(parts: TerminalParts, behavior: TerminalBehavior) {
    this.#parts = parts;
    this.#behavior = behavior;
    const { child, diagnostics } = parts;
    const { nowMs } = behavior;
    const clock = new FrameClock({ fence: createFrameFence(parts), nowMs });
    const write: Send = (input) => child.input.write(typeof input === 'string' ? Buffer.from(input) : input);
    const send: Send = (input) => {
      clock.expectAnswer();
      write(input);
    };
    const faults = new ThrottledLog({ write: (line) => diagnostics.error(line), nowMs });
    // Answers stay in order behind a colour whose name the server must resolve.
    const answers = new OrderedWork();
    const applicationColors = createApplicationColors({
      ...parts,
      work: answers,
      request: () => clock.request(),
      send,
      reportsScheme: () => this.#engine.modes.get('colorSchemeReports'),
    });
    this.#clock = clock;
    this.#engine = this.#createEngine({
      colors: applicationColors,
      send: (answer) => answers.do(() => send(answer)),
      logFailure: (message) => faults.log(message),
    });
    const engine = this.#engine;
    this.#desktop = this.#createDesktop();
    const { titles, attention, area, focus } = this.#desktop;
    this.#picture = new WindowPicture({
      ...parts,
      engine,
      clock,
      applicationColors,
      titles,
      attention,
      failures: faults,
      isVisible: () => area.isVisible,
      hasFocus: () => focus.isHere,
      nowMs,
      onFirstFrame: () => behavior.onFirstFrame(),
    });
    this.#grid = this.#createGrid();
    this.#fonts = this.#createFonts();
    const sendInput: Send = (input) => {
      clock.awaitEcho();
      write(input);
    };
    this.#features = this.#createFeatures(sendInput);
    this.#input = this.#createInput(sendInput);
    this.#session = this.#createSession();
  }

  #createEngine(answers: Pick<HostParts, 'colors' | 'send' | 'logFailure'>): TerminalEngine {
    const { options } = this.#parts;
    const engine = new TerminalEngine(
      {
        ...this.#behavior,
        ...this.#behavior.size,
        graphemeClusters: options.get('graphemeWidth') === 'unicode',
        takesBlinkRequests: takesBlinkRequests(options),
      },
      this.#createHost(answers),
    );
    const { modes } = engine;
    options.watch(['alternateScroll'], () => modes.set('alternateScroll', options.get('alternateScroll')));
    return engine;
  }

  #createHost(answers: Pick<HostParts, 'colors' | 'send' | 'logFailure'>): EngineHost {
    const { options, selections, diagnostics } = this.#parts;
    const { nowMs } = this.#behavior;
    const notifications = new Notifications({
      run: runProgram,
      nowMs,
      warn: (message) => diagnostics.warning(message),
      subject: { one: 'a message of an application', all: 'messages of applications' },
    });
    return createEngineHost({
      ...answers,
      options,
      selections: createSelectionHost(selections, options, (why) => this.#features.takeRefusedWrite(why)),
      ring: () => this.#picture.bell.ring(),
      setLabel: (kind, text) => this.#desktop.titles.set(kind, text),
      label: (kind) => this.#desktop.titles.get(kind),
      metrics: () => this.#grid.metrics(this.#desktop.area.size),
      changeCompleted: () => this.#clock.changeCompleted(),
      highlight: (request) => this.#features.takeHighlight(request),
      shellMarked: (mark) => {
        this.#session.takeShellMark(mark);
        this.#features.takeShellMark(mark);
      },
      notify: (notification) => notifications.show(notification),
    });
  }

  #createDesktop(): DesktopWindow {
    const { painter } = this.#parts;
    return new DesktopWindow({
      ...this.#parts,
      ...this.#behavior,
      modes: this.#engine.modes,
      request: () => this.#clock.request(),
      onExposed: (area) => painter.forget(area),
      onResized: (size) => this.#grid.takeSize(size),
    });
  }

  #createGrid(): CellGrid {
    return new CellGrid({
      ...this.#parts,
      ...this.#behavior,
      engine: this.#engine,
      viewport: this.#picture.viewport,
      isEditing: () => this.#session.isEditing,
      isPromptLeft: () => this.#session.isPromptLeft,
      catchUp: () => this.#session.catchUp(),
      resizeChild: (size) => this.#session.resize(size),
      redraw: () => this.#picture.redraw(),
    });
  }

  #createFonts(): FontSwitching {
    const { connection, options, loader, slot, diagnostics } = this.#parts;
    return new FontSwitching({
      loader,
      first: slot,
      options,
      show: (fonts) => this.#grid.showFonts(fonts),
      showMore: (fonts) => this.#grid.showMoreFonts(fonts),
      ring: () => this.#picture.bell.ring(),
      failed: (error) => {
        // The end of the connection is reported elsewhere.
        if (connection.isOpen) diagnostics.warning(`the fonts could not be changed: ${messageOf(error)}`);
      },
    });
  }

  #createFeatures(send: Send): Features {
    const { options, child } = this.#parts;
    const { nowMs, onClose, isUtf8Locale } = this.#behavior;
    const { modes } = this.#engine;
    const { bell, viewport, lines } = this.#picture;
    const { focus, eventMask, area } = this.#desktop;
    return createFeatures({
      ...this.#parts,
      engine: this.#engine,
      bell,
      viewport,
      lines,
      focus,
      eventMask,
      grid: this.#grid,
      fonts: this.#fonts,
      keymap: () => this.#input.keymap,
      textInput: createTextInput({ modes, viewport, options, send }),
      titles: createTitlePort(options, isUtf8Locale),
      send,
      sendWhole: (bytes) => {
        this.#clock.awaitEcho();
        child.input.writeWhole(bytes);
      },
      isVisible: () => area.isVisible,
      redraw: () => this.#picture.redraw(),
      repaint: () => this.#picture.repaint(),
      quit: () => onClose(),
      nowMs,
    });
  }

  #createInput(sendKeys: Send): WindowInput {
    const { options, fontRouting } = this.#parts;
    const { translations, inputFilters, isUtf8Locale } = this.#behavior;
    const { bell, viewport } = this.#picture;
    const { focus, eventMask } = this.#desktop;
    const { modes } = this.#engine;
    const { ports, filters } = this.#features;
    const titles = createTitlePort(options, isUtf8Locale);
    return new WindowInput({
      ...this.#parts,
      eventMask,
      viewport,
      focus,
      keyboard: this.#engine,
      ports: { ...ports, modes, options, bell, fonts: this.#fonts, fontRouting, titles },
      translations,
      filters: [...inputFilters, ...filters],
      sendKeys,
    });
  }

  #createSession(): ChildSession {
    const { child, options, diagnostics } = this.#parts;
    return new ChildSession({
      child,
      engine: this.#engine,
      clock: this.#clock,
      viewport: this.#picture.viewport,
      options,
      warn: (message) => diagnostics.warning(message),
      onOutput: () => this.#grid.takeOutput(),
      onOver: (end) => this.#behavior.onChildEnd(end),
    });
  }

  /** Starts to handle events and output. Call it before the window is mapped: the first Expose follows at once. */
  start(): void {
    const { router, window, painter, keymap } = this.#parts;
    const { size } = this.#behavior;
    painter.resize(size.columns, size.rows);
    this.#desktop.start();
    this.#picture.start(this.#features.frameSteps);
    this.#input.start(keymap);
    router.attach(window, this.#input.windowHandlers);
    router.attach(window, { DestroyNotify: () => this.#takeDestruction() });
    router.attach(NO_WINDOW, this.#input.keyboardHandlers);
    this.#session.start();
  }

  /** Starts work that waits until the first frame is on its way. */
  prepareWhileIdle(): void {
    for (const step of this.#features.idleSteps) step();
  }

  /** The fonts in use. */
  get fonts(): FontSwitching {
    return this.#fonts;
  }

  /** The server refused a drawing request, or one that creates a drawing resource. */
  takeRefusal(): void {
    this.#picture.takeRefusal();
  }

  /** Steps that end the terminal, in order: the last frame, input, the child, events, the window. */
  get endingSteps(): readonly (() => void)[] {
    return [
      () => this.#clock.finish(),
      () => this.#picture.stop(),
      () => this.#input.stop(),
      ...this.#features.endingSteps,
      () => this.#grid.stop(),
      () => this.#fonts.close(),
      () => this.#session.close(),
      () => this.#parts.router.detach(this.#parts.window),
      () => this.#destroy(),
    ];
  }

  /**
   * Destroys the window now, although the server would do so when the connection closes: a process that ends frees its
   * memory before it closes its files, and a history of a million lines takes most of a second to free.
   */
  #destroy(): void {
    const { connection, window } = this.#parts;
    if (this.#isDestroyed || !connection.isOpen) return;
    this.#isDestroyed = true;
    connection.client.DestroyWindow(window);
    connection.flush();
  }

  /**
   * Whether the window is gone, by the end of the terminal or by another program. Until the terminal knows, its
   * requests for the window are refused.
   */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  #takeDestruction(): void {
    this.#isDestroyed = true;
    this.#clock.stop();
    this.#picture.stop();
    this.#parts.diagnostics.info('the window was destroyed by another program');
    this.#behavior.onClose();
  }
}
