import { VERSION } from '../../kernel/version.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { DisplayUnavailableError } from '../errors.ts';
import type { SlotFonts } from '../fonts/slot-fonts.ts';
import type { ComposeSystem } from '../input/compose/compose-files.ts';
import type { LiveOptions } from '../options/live-options.ts';
import type { ChildCommand } from '../pty/child-command.ts';
import { Graphics } from '../render/graphics.ts';
import { Painter } from '../render/painter.ts';
import { numberOf, pixelValues } from '../render/pixel-values.ts';
import type { CellSize } from '../render/rectangle.ts';
import { insetOf, readScrollbarSettings } from '../scrollbar/scrollbar-settings.ts';
import { Selections } from '../selection/selections.ts';
import type { XConnection } from '../x11/connection.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { ResourceLookup } from '../xresource/lookup.ts';
import { readColors, type Settings } from '../xresource/settings.ts';
import type { SideInset } from './cell-grid.ts';
import { chooseVisual, opacityOf } from './choose-visual.ts';
import { Ending } from './ending.ts';
import { EventRouter } from './event-router.ts';
import { areaOf, fitBorder, fitPlace, fitSize, type GridSize } from './fit-geometry.ts';
import { type CollectedRouting, collectRouting } from './font-routing-port.ts';
import { createSlotLoader } from './fonts/create-slot-loader.ts';
import { wantsOutline } from './fonts/font-switching.ts';
import type { LoadedSlot } from './fonts/loaded-slot.ts';
import type { SlotLoader } from './fonts/slot-loader.ts';
import { historyWarning } from './history-memory.ts';
import type { loadKeymap } from './keyboard.ts';
import { isDrawing } from './refusals.ts';
import { ScreenNotices } from './screen-notices.ts';
import { type StartedChild, startChild } from './start-child.ts';
import { tellStart } from './start-facts.ts';
import { type StartupNotification, startupNotification } from './startup-notification.ts';
import { TerminalWindow } from './terminal-window.ts';
import { loadTextColors } from './text-colors.ts';
import { ThrottledLog } from './throttled-log.ts';
import { createTopLevelWindow, type TopLevelOptions, writeSizeHints, writeWindowHints } from './top-level-window.ts';
import type { internWindowAtoms } from './window-atoms.ts';
import { showIcon } from './window-icon.ts';

/** What the machine and the command line say about this terminal. */
export interface TerminalContext {
  name: { instance: string; class: string };
  hostName: string;
  /** Name of the locale of its texts, such as `C.UTF-8`. */
  locale: string;
  processId: number;
  environment: Readonly<Record<string, string | undefined>>;
  command: ChildCommand;
  shell: string;
  nowMs(): number;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  diagnostics: Diagnostics;
  /** The resources that may change while the terminal runs. */
  options: LiveOptions;
  /** Resources of widgets, such as menus and the scrollbar. */
  resources: ResourceLookup;
  /** Where sequences of keys are looked for. */
  composeSystem: ComposeSystem;
  /** Requests that were sent to the server before the resources were known. */
  early: { atoms: ReturnType<typeof internWindowAtoms>; keymap: ReturnType<typeof loadKeymap> };
}

export interface OpenTerminal {
  /** Its id. */
  readonly window: number;
  /** Resolves when the window has been closed; rejects when the X server went away, and when there is no such command. */
  readonly ended: Promise<void>;
  /** Hangs up on the child and closes the window at once; resolves when the connection is closed. */
  close(): Promise<void>;
}

/** Opens the window, starts the child in it, and shows it. What the window needs is asked of the server at once. */
export async function openTerminal(
  connection: XConnection,
  settings: Settings,
  context: TerminalContext,
): Promise<OpenTerminal> {
  const launch = startupNotification(connection, context.environment);
  const window = connection.client.AllocID();
  try {
    return await openParts(connection, settings, { ...context, launch, window });
  } catch (error) {
    await launch?.complete(window);
    throw error;
  }
}

async function openParts(
  connection: XConnection,
  settings: Settings,
  context: TerminalContext & Pick<Opening, 'launch' | 'window'>,
): Promise<OpenTerminal> {
  const { diagnostics, options, launch, window } = context;
  const colors = loadTextColors(connection, readColors(options.reader), diagnostics);
  const visual = chooseVisual(connection, options, diagnostics);
  // Awaited after the font: until then a failure must not end the program.
  colors.catch(() => {});
  visual.catch(() => {});
  const routing = collectRouting(options.get('reportFontRouting'), (text) => context.complain(text));
  const loader = createSlotLoader(connection, settings, context, { notes: routing.notes, visual });
  const slot = (wantsOutline(options) ? await loader.open(0, 'outline') : undefined) ?? (await loader.openDefault());
  const geometry = fitGeometry(settings, slot.fonts, context);
  // The child starts while the other answers are on their way.
  const started = startChild(context.command, {
    ...context,
    windowId: window,
    display: connection.name,
    termName: settings.session.termName,
    size: { ...geometry.size, ...areaOf(geometry.size, geometry.cell) },
    staysVisible: () => options.get('hold'),
  });
  try {
    return await openWindow({
      connection,
      settings,
      context,
      loader,
      slot,
      routing,
      geometry,
      window,
      launch,
      started,
      colors,
      visual,
    });
  } catch (error) {
    started.child.hangUp();
    started.child.close();
    throw error;
  }
}

/** Opcode of the request to show a window, which fails for one that was never made; X11 protocol. */
const MAP_WINDOW = 8;

function noWindow({ name }: XConnection, reason: string): DisplayUnavailableError {
  return new DisplayUnavailableError(`the X server ${name} shows no window: ${reason}`);
}

interface Geometry {
  cell: CellSize;
  size: GridSize;
  internalBorder: number;
  inset: SideInset;
  scrollbarWidth: number;
  place: Settings['window']['place'];
  iconPlace: Settings['window']['iconGeometry'];
}

interface Opening {
  connection: XConnection;
  settings: Settings;
  context: TerminalContext;
  loader: SlotLoader;
  slot: LoadedSlot;
  routing: CollectedRouting;
  geometry: Geometry;
  window: number;
  /** Undefined when its launcher does not wait for the window. */
  launch: StartupNotification | undefined;
  started: StartedChild;
  colors: ReturnType<typeof loadTextColors>;
  visual: Promise<WindowVisual>;
}

async function openWindow(opening: Opening): Promise<OpenTerminal> {
  const { connection, settings, context, loader, slot, routing, geometry, window, started } = opening;
  const { options, diagnostics, early, nowMs } = context;
  const [colors, atoms, visual] = await Promise.all([
    opening.colors,
    early.atoms,
    opening.visual,
    opening.launch?.ready,
  ]);
  const pixels = pixelValues(visual);
  const background = numberOf(options.get('reverseVideo') ? colors.foreground : colors.background);
  const backgroundPixel = pixels.translucent(background, opacityOf(options));
  const topLevel: TopLevelOptions = {
    ...settings.window,
    ...geometry,
    ...context,
    window,
    visual,
    backgroundPixel,
    borderPixel: pixels.opaque(numberOf(colors.border)),
  };
  createTopLevelWindow(connection, atoms, topLevel);
  opening.launch?.mark(window);
  const painter = createPainter(opening, visual, colors, () => terminal.fonts.wantWider());
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const router = new EventRouter();
  const selections = createSelections(connection, router, settings.toolkit.selectionTimeoutMs, diagnostics);
  const terminal: TerminalWindow = new TerminalWindow(
    {
      connection,
      router,
      window,
      atoms,
      painter,
      loader,
      slot,
      child: started.child,
      selections,
      keymap: early.keymap,
      composeSystem: context.composeSystem,
      colors,
      pixels,
      backgroundPixel,
      hasAlpha: visual.alphaMask !== 0,
      options,
      resources: context.resources,
      fontRouting: routing.port,
      environment: context.environment,
      locale: context.locale,
      diagnostics,
      hostName: context.hostName,
      childEnvironment: () => Object.fromEntries(started.variables.map(splitVariable)),
    },
    {
      size: geometry.size,
      internalBorder: geometry.internalBorder,
      inset: geometry.inset,
      saveLines: settings.scrolling.saveLines,
      cursorShape: settings.cursor.shape,
      translations: settings.session.translations,
      labels: settings.titles,
      identity: { termName: settings.session.termName, version: VERSION },
      isUtf8Locale: settings.titles.isUtf8,
      inputFilters: [],
      nowMs,
      onClose: resolve,
      onChildEnd: (end) => {
        const failure = started.failureOf(end);
        if (failure === undefined) resolve();
        else reject(failure);
      },
      onFirstFrame: () => setImmediate(() => afterFirstFrame(terminal, { ...opening, router, diagnostics }, visual)),
      tellSizes: (sizes) => writeSizeHints(connection, atoms, { ...topLevel, ...sizes }),
      tellUrgency: (isUrgent) => writeWindowHints(connection, atoms, topLevel, { isUrgent }),
    },
  );
  listen(opening, { router, terminal, reject });
  show(opening, terminal);
  const ending = new Ending([...terminal.endingSteps, () => selections.close()]);
  return { window, ended, close: () => close(ending, connection) };
}

function createPainter(
  { connection, window, slot, geometry, context: { options } }: Opening,
  visual: WindowVisual,
  colors: Awaited<Opening['colors']>,
  onMissing: () => void,
): Painter {
  return new Painter({
    graphics: new Graphics(connection, window),
    fonts: slot.fonts,
    forcesProcedural: options.get('forceBoxChars'),
    onMissing,
    visual,
    colors,
    boldIsBright: options.get('boldColors'),
    opacity: opacityOf(options),
    internalBorder: geometry.internalBorder,
    insetLeft: geometry.inset.left,
  });
}

function show({ connection, window, launch }: Opening, terminal: TerminalWindow): void {
  // A started terminal waits for its server without a deadline; it ends with the connection.
  connection.liftDeadlines();
  terminal.start();
  connection.client.MapWindow(window);
  connection.flush();
  void launch?.complete(window);
}

/** `NAME=value`; a value may have further equals signs. */
function splitVariable(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Lets events in, and errors of the server. */
function listen(
  { connection, context: { diagnostics, nowMs }, window }: Opening,
  parts: { router: EventRouter; terminal: TerminalWindow; reject(error: DisplayUnavailableError): void },
): void {
  const { router, terminal, reject } = parts;
  const errors = new ThrottledLog({ write: (line) => diagnostics.warning(line), nowMs });
  connection.listen({
    onEvent: (event) => router.route(event),
    onError: (message, { majorOpcode, badParam }) => {
      if (terminal.isDestroyed) return;
      if (majorOpcode === MAP_WINDOW && badParam === window) reject(noWindow(connection, message));
      else {
        errors.tell(`the X server refused a request: ${message}`);
        if (isDrawing(majorOpcode)) terminal.takeRefusal();
      }
    },
    onEnd: (error: DisplayUnavailableError) => reject(error),
  });
}

/** What nobody needs before there is something to see. */
function afterFirstFrame(
  terminal: TerminalWindow,
  parts: Opening & ConstructorParameters<typeof ScreenNotices>[0],
  visual: WindowVisual,
): void {
  terminal.fonts.wantBold();
  terminal.prepareWhileIdle();
  void new ScreenNotices(parts).start();
  // Without a connection everything ends; that is reported elsewhere.
  showIcon(parts.connection, parts.window, () => terminal.isDestroyed).catch(() => {});
  const { slot, geometry, started } = parts;
  const { size: grid } = geometry;
  tellStart(parts.diagnostics, { ...parts, visual, fonts: slot.fonts, grid, childId: started.processId });
}

async function close(ending: Ending, connection: XConnection): Promise<void> {
  try {
    ending.run();
  } finally {
    await connection.finish();
  }
}

function createSelections(
  connection: XConnection,
  router: EventRouter,
  deadlineMs: number,
  diagnostics: Diagnostics,
): Selections {
  return new Selections({
    connection,
    attach: (owner, handlers) => router.attach(owner, handlers),
    detach: (owner) => router.detach(owner),
    isAttached: (owner) => router.isAttached(owner),
    deadlineMs,
    warn: (message) => diagnostics.warning(message),
  });
}

/** Sizes and places that fit; reports those that do not. */
function fitGeometry(
  { window, scrolling }: Settings,
  { cell }: SlotFonts,
  { options, resources, diagnostics }: TerminalContext,
): Geometry {
  const warn = (message: string): void => diagnostics.warning(message);
  const inset = insetOf(readScrollbarSettings(options, resources, warn), options.get('scrollBar'));
  const scrollbarWidth = inset.left + inset.right;
  const internalBorder = fitBorder(window.internalBorder, cell, warn, scrollbarWidth);
  const size = fitSize(window, { cell, internalBorder, scrollbarWidth }, warn);
  const historyTold = historyWarning(scrolling.saveLines, size.columns);
  if (historyTold !== undefined) warn(historyTold);
  return {
    cell,
    size,
    internalBorder,
    inset,
    scrollbarWidth,
    place: fitPlace(window.place, warn),
    iconPlace: window.iconGeometry && fitPlace(window.iconGeometry, warn),
  };
}
