import { messageOf } from '../../kernel/errors.ts';
import { runProgram } from '../desktop/run-program.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { TerminalEngine } from '../engine/terminal-engine.ts';
import { isColorName, resolveColor } from '../x11/color.ts';
import { ApplicationColors } from './application-colors.ts';
import { Attention } from './attention.ts';
import { Bell } from './bell.ts';
import { Blinking } from './blinking.ts';
import { CellGrid } from './cell-grid.ts';
import { ChildSession } from './child-session.ts';
import { takesBlinkRequests } from './cursor-blink.ts';
import { createEngineHost } from './engine-host.ts';
import { EventMask } from './event-mask.ts';
import { NO_WINDOW } from './event-router.ts';
import type { FeatureParts } from './features/feature-parts.ts';
import { createFeatures, type Features } from './features/index.ts';
import { Focus } from './focus.ts';
import { FontSwitching } from './fonts/font-switching.ts';
import { FrameClock } from './frame-clock.ts';
import { FramePainter } from './frame-painter.ts';
import { followColors } from './live-colors.ts';
import { Notifications } from './notifications.ts';
import { OrderedWork } from './ordered-work.ts';
import { protocolHandlers } from './protocols.ts';
import { Refusals } from './refusals.ts';
import { createSelectionPort } from './selection-port.ts';
import { ShownLines } from './shown-lines.ts';
import { TerminalInput } from './terminal-input.ts';
import type { TerminalBehavior, TerminalParts } from './terminal-parts.ts';
import { createTextInput } from './text-input.ts';
import { ThrottledLog } from './throttled-log.ts';
import { createTitlePort } from './title-port.ts';
import { Titles } from './titles.ts';
import { WINDOW_EVENTS } from './top-level-window.ts';
import { Viewport } from './viewport.ts';
import { WindowArea } from './window-area.ts';

/** What answers of the engine go through. */
interface HostTools {
  work: OrderedWork;
  bell: Bell;
  faults: ThrottledLog;
  send(input: string | Uint8Array): void;
}

/** Puts the parts of a window together and lets events, output and options reach them. */
export class TerminalWindow {
  readonly #parts: TerminalParts;
  readonly #behavior: TerminalBehavior;
  readonly #clock: FrameClock;
  readonly #engine: TerminalEngine;
  readonly #viewport: Viewport;
  readonly #titles: Titles;
  readonly #colors: ApplicationColors;
  readonly #area: WindowArea;
  readonly #grid: CellGrid;
  readonly #fonts: FontSwitching;
  readonly #focus: Focus;
  readonly #attention: Attention;
  readonly #blinking: Blinking;
  readonly #frames: FramePainter;
  readonly #refusals: Refusals;
  readonly #eventMask: EventMask;
  readonly #features: Features;
  readonly #input: TerminalInput;
  readonly #session: ChildSession;
  #isDestroyed = false;

  constructor(parts: TerminalParts, behavior: TerminalBehavior) {
    this.#parts = parts;
    this.#behavior = behavior;
    const { connection, options, painter, child, diagnostics } = parts;
    const { nowMs } = behavior;
    const send = (input: string | Uint8Array): void =>
      child.write(typeof input === 'string' ? Buffer.from(input) : input);
    const clock = new FrameClock({ fence: (done) => connection.fence(done), nowMs });
    const request = (): void => clock.request();
    const redraw = (): void => this.#redraw();
    const work = new OrderedWork();
    const faults = new ThrottledLog({ write: (line) => diagnostics.error(line), nowMs });
    const bell = new Bell({ request, nowMs, rings: () => this.#attention.takeBell() });
    this.#clock = clock;
    this.#titles = new Titles({ ...parts, client: connection.client, isUtf8Locale: behavior.isUtf8Locale, request });
    this.#colors = this.#createColors({ work, request, send });
    this.#engine = new TerminalEngine(
      {
        ...behavior,
        ...behavior.size,
        graphemeClusters: options.get('graphemeWidth') === 'unicode',
        takesBlinkRequests: takesBlinkRequests(options),
      },
      this.#createHost({ work, send, bell, faults }),
    );
    const engine = this.#engine;
    this.#viewport = new Viewport(engine, redraw);
    this.#focus = new Focus(request);
    this.#area = new WindowArea({
      onExposed: (area) => painter.forget(area),
      onResized: (size) => this.#grid.takeSize(size),
      request,
      fence: (done) => connection.fence(done),
    });
    this.#blinking = new Blinking({ onMs: options.get('cursorOnTime'), offMs: options.get('cursorOffTime') }, request);
    const lines = new ShownLines(this.#viewport);
    this.#attention = this.#createAttention(request);
    this.#frames = new FramePainter({
      ...parts,
      engine,
      viewport: this.#viewport,
      lines,
      titles: this.#titles,
      bell,
      attention: this.#attention,
      blinking: this.#blinking,
      clock,
      failures: faults,
      isVisible: () => this.#area.isVisible,
      hasFocus: () => this.#focus.isHere,
      onFirstFrame: () => behavior.onFirstFrame(),
    });
    this.#refusals = new Refusals({
      nowMs,
      redraw: () => {
        painter.forgetEverything();
        redraw();
      },
    });
    this.#grid = new CellGrid({
      ...parts,
      ...behavior,
      engine,
      viewport: this.#viewport,
      isEditing: () => this.#session.isEditing,
      isPromptLeft: () => this.#session.isPromptLeft,
      catchUp: () => this.#session.catchUp(),
      resizeChild: (size) => this.#session.resize(size),
      redraw,
    });
    this.#fonts = this.#createFonts(bell);
    const sendInput = (input: string | Uint8Array): void => {
      clock.awaitEcho();
      send(input);
    };
    const textInput = createTextInput({ modes: engine.modes, viewport: this.#viewport, options, send: sendInput });
    this.#eventMask = new EventMask({ ...parts, base: WINDOW_EVENTS });
    this.#features = this.#createFeatures({ lines, bell, redraw, textInput, send: sendInput });
    this.#input = this.#createInput(bell, sendInput);
    this.#session = this.#createSession();
    followColors({ ...parts, applicationColors: this.#colors, first: parts.colors, redraw });
    this.#followDrawing(redraw);
  }

  /** Lets options take effect that change how cells are drawn. */
  #followDrawing(redraw: () => void): void {
    const { options, painter } = this.#parts;
    options.watch(['reverseVideo', 'alwaysHighlight'], redraw);
    options.watch(['forceBoxChars'], () => {
      painter.setForcesProcedural(options.get('forceBoxChars'));
      redraw();
    });
  }

  #createAttention(request: () => void): Attention {
    const { options } = this.#parts;
    const { modes } = this.#engine;
    const attention = new Attention({
      ...this.#parts,
      ...this.#behavior,
      isWanted: () => modes.get('urgentBell'),
      hasFocus: () => this.#focus.isHere,
      request,
    });
    this.#focus.watch(() => attention.takeFocus());
    modes.watch(['urgentBell'], () => attention.takeMode());
    options.watch(['alternateScroll'], () => modes.set('alternateScroll', options.get('alternateScroll')));
    options.watch(['bellIsUrgent'], () => modes.set('urgentBell', options.get('bellIsUrgent')));
    return attention;
  }

  #createSession(): ChildSession {
    const { child, options, diagnostics } = this.#parts;
    return new ChildSession({
      child,
      engine: this.#engine,
      clock: this.#clock,
      viewport: this.#viewport,
      options,
      warn: (message) => diagnostics.warning(message),
      onOutput: () => this.#grid.takeOutput(),
      onOver: (end) => this.#behavior.onChildEnd(end),
    });
  }

  #createColors({ work, request, send }: Pick<HostTools, 'work' | 'send'> & { request(): void }): ApplicationColors {
    const { connection, options, colors } = this.#parts;
    return new ApplicationColors({
      configured: colors,
      work,
      isReversed: () => options.get('reverseVideo'),
      lookUp: (name) => resolveColor(connection, name),
      isName: isColorName,
      request,
      send,
      tellsScheme: () => this.#engine.modes.get('colorSchemeReports'),
    });
  }

  #createFonts(bell: Bell): FontSwitching {
    const { connection, options, loader, slot, diagnostics } = this.#parts;
    return new FontSwitching({
      loader,
      first: slot,
      options,
      show: (fonts) => this.#grid.showFonts(fonts),
      showMore: (fonts) => this.#grid.showMoreFonts(fonts),
      ring: () => bell.ring(),
      failed: (error) => {
        // Without a connection everything ends; that is reported elsewhere.
        if (connection.isOpen) diagnostics.warning(`the fonts could not be changed: ${messageOf(error)}`);
      },
    });
  }

  #createFeatures(tools: Pick<FeatureParts, 'lines' | 'bell' | 'redraw' | 'textInput' | 'send'>): Features {
    const { nowMs, onClose, isUtf8Locale } = this.#behavior;
    const { options, painter } = this.#parts;
    return createFeatures({
      ...this.#parts,
      keymap: () => this.#input.keymap,
      ...tools,
      eventMask: this.#eventMask,
      focus: this.#focus,
      engine: this.#engine,
      viewport: this.#viewport,
      grid: this.#grid,
      fonts: this.#fonts,
      titles: createTitlePort(options, isUtf8Locale),
      isVisible: () => this.#area.isVisible,
      repaint: () => {
        painter.forgetEverything();
        tools.redraw();
      },
      quit: () => onClose(),
      nowMs,
    });
  }

  #createInput(bell: Bell, sendKeys: (text: string) => void): TerminalInput {
    const { options, fontRouting } = this.#parts;
    const { translations, inputFilters, isUtf8Locale } = this.#behavior;
    const titles = createTitlePort(options, isUtf8Locale);
    const { ports, filters } = this.#features;
    return new TerminalInput({
      ...this.#parts,
      eventMask: this.#eventMask,
      viewport: this.#viewport,
      focus: this.#focus,
      keyboard: this.#engine,
      ports: { ...ports, modes: this.#engine.modes, options, bell, fonts: this.#fonts, fontRouting, titles },
      translations,
      filters: [...inputFilters, ...filters],
      sendKeys,
    });
  }

  /** Answers keep their order behind a colour whose name the server must be asked for. */
  #createHost({ work, send, bell, faults }: HostTools): EngineHost {
    const { options, selections, diagnostics } = this.#parts;
    const { nowMs } = this.#behavior;
    const warn = (message: string): void => diagnostics.warning(message);
    const notifications = new Notifications({
      run: runProgram,
      nowMs,
      warn,
      subject: { one: 'a message of an application', all: 'messages of applications' },
    });
    return createEngineHost({
      options,
      colors: this.#colors,
      selections: createSelectionPort(selections, options, (why) => this.#features.takeRefusedWrite(why)),
      send: (answer) => work.do(() => send(answer)),
      ring: () => bell.ring(),
      setLabel: (kind, text) => this.#titles.set(kind, text),
      label: (kind) => this.#titles.get(kind),
      metrics: () => this.#grid.metrics(this.#area.size),
      changeCompleted: () => this.#clock.changeCompleted(),
      highlight: (request) => this.#features.takeHighlight(request),
      shellMarked: (mark) => {
        this.#session.takeShellMark(mark);
        this.#features.takeShellMark(mark);
      },
      notify: (notification) => notifications.show(notification),
      tellFailure: (message) => faults.tell(message),
    });
  }

  /** Lets events and output in. Call it before the window is shown: the first Expose comes right after. */
  start(): void {
    const { connection, router, window, atoms, painter, keymap } = this.#parts;
    const { size, labels, onClose } = this.#behavior;
    painter.resize(size.columns, size.rows);
    this.#titles.set('title', labels.title);
    this.#titles.set('iconName', labels.iconName);
    this.#titles.flush();
    this.#clock.drive({
      paint: () => this.#paint(),
      isOfUse: () => this.#frames.isOfUse,
      isHeldBack: () => this.#engine.modes.get('synchronizedOutput'),
      endHolding: () => this.#engine.modes.set('synchronizedOutput', false),
    });
    this.#input.start(keymap);
    router.attach(window, this.#input.windowHandlers);
    router.attach(window, this.#area.handlers);
    router.attach(window, this.#focus.handlers);
    router.attach(window, protocolHandlers(connection, atoms, onClose));
    router.attach(window, { DestroyNotify: () => this.#takeDestruction() });
    router.attach(NO_WINDOW, this.#input.keyboardHandlers);
    this.#session.start();
  }

  /** Begins what may wait until the first frame is on its way. */
  prepareWhileIdle(): void {
    for (const step of this.#features.idleSteps) step();
  }

  /** The fonts that draw. */
  get fonts(): FontSwitching {
    return this.#fonts;
  }

  /** The server refused to draw, or to make what draws. */
  takeRefusal(): void {
    this.#refusals.take();
  }

  /** The steps that end it, in order: the last frame, input, the child, events, the window. */
  get endingSteps(): readonly (() => void)[] {
    return [
      () => this.#clock.finish(),
      () => this.#blinking.stop(),
      () => this.#refusals.stop(),
      () => this.#input.stop(),
      ...this.#features.endingSteps,
      () => this.#grid.stop(),
      () => this.#fonts.close(),
      () => this.#session.close(),
      () => this.#parts.router.detach(this.#parts.window),
      () => this.#destroy(),
    ];
  }

  #redraw(): void {
    this.#frames.invalidate();
    this.#clock.request();
  }

  #paint(): void {
    const change = this.#colors.takeChange();
    if (change !== undefined) this.#parts.painter.setColors(change);
    for (const step of this.#features.frameSteps) step();
    this.#frames.paint();
  }

  /**
   * The server would do it when the connection closes. But a program that ends gives its memory back before it closes
   * its files, and with a history of a million lines that takes most of a second.
   */
  #destroy(): void {
    const { connection, window } = this.#parts;
    if (this.#isDestroyed || !connection.isOpen) return;
    this.#isDestroyed = true;
    connection.client.DestroyWindow(window);
    connection.flush();
  }

  /** The window is gone, by the end of the terminal or by another program. What is asked about it before that is known is refused. */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  #takeDestruction(): void {
    this.#isDestroyed = true;
    this.#clock.stop();
    this.#blinking.stop();
    this.#refusals.stop();
    this.#parts.diagnostics.info('the window was destroyed by another program');
    this.#behavior.onClose();
  }
}
