import { VERSION } from '../../kernel/version.ts';
import { DisplayUnavailableError } from '../errors.ts';
import { numberOf, pixelValues } from '../render/pixel-values.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { readColors, type Settings } from '../xresource/settings.ts';
import { EventRouter } from './desktop/event-router.ts';
import { areaOf } from './desktop/fit-geometry.ts';
import { ScreenNotices } from './desktop/screen-notices.ts';
import { type StartupNotification, startupNotification } from './desktop/startup-notification.ts';
import {
  createTopLevelWindow,
  type TopLevelOptions,
  writeSizeHints,
  writeWindowHints,
} from './desktop/top-level-window.ts';
import { showIcon } from './desktop/window-icon.ts';
import { Ending } from './ending.ts';
import { fitWindow, type WindowGeometry } from './fit-window.ts';
import { createSlotLoader } from './fonts/create-slot-loader.ts';
import { type CollectedRouting, collectRouting } from './fonts/font-routing-port.ts';
import { wantsOutline } from './fonts/font-switching.ts';
import type { LoadedSlot } from './fonts/loaded-slot.ts';
import type { SlotLoader } from './fonts/slot-loader.ts';
import { chooseVisual, opacityOf } from './frame/choose-visual.ts';
import { createPainter } from './frame/create-painter.ts';
import { isDrawing } from './frame/refused-drawing.ts';
import { loadTextColors } from './frame/text-colors.ts';
import { createSelections } from './session/create-selections.ts';
import { boundHeapGrowth } from './session/heap-growth.ts';
import { type StartedChild, startChild, variablesByName } from './session/start-child.ts';
import { logStart } from './session/start-facts.ts';
import type { TerminalContext } from './terminal-context.ts';
import { TerminalWindow } from './terminal-window.ts';
import { ThrottledLog } from './throttled-log.ts';

export interface OpenTerminal {
  /** Id of the window. */
  readonly window: number;
  /** Resolves when the window was closed; rejects when the X server goes away or the command does not exist. */
  readonly ended: Promise<void>;
  /** Hangs up on the child and closes the window at once; resolves when the connection is closed. */
  close(): Promise<void>;
}

/** Opens the window, starts the child in it, and maps it. All requests that the window needs are sent at once. */
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
  // Their failures are handled after the font is open, and must not end the program before.
  for (const answer of [colors, visual]) answer.catch(() => {});
  const routing = collectRouting(options.get('reportFontRouting'), (text) => context.complain(text));
  const loader = createSlotLoader(connection, settings, context, { notes: routing.notes, visual });
  const slot = (wantsOutline(options) ? await loader.open(0, 'outline') : undefined) ?? (await loader.openDefault());
  const geometry = fitWindow(settings, slot.fonts, context);
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

/** Opcode of MapWindow, which fails if the window could not be created; X11 protocol. */
const MAP_WINDOW = 8;

function noWindow({ name }: XConnection, reason: string): DisplayUnavailableError {
  return new DisplayUnavailableError(`the X server ${name} shows no window: ${reason}`);
}

interface Opening {
  connection: XConnection;
  settings: Settings;
  context: TerminalContext;
  loader: SlotLoader;
  slot: LoadedSlot;
  routing: CollectedRouting;
  geometry: WindowGeometry;
  window: number;
  /** Undefined when the launcher does not wait for the window. */
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
  const { internalBorder, inset } = geometry;
  const painter = createPainter({
    connection,
    window,
    visual,
    options,
    fonts: slot.fonts,
    colors,
    internalBorder,
    insetLeft: inset.left,
    onMissing: () => terminal.fonts.wantWider(),
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const router = new EventRouter();
  const selections = createSelections(connection, router, settings.toolkit.selectionTimeoutMs, diagnostics);
  const terminal: TerminalWindow = new TerminalWindow(
    {
      ...context,
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
      colors,
      pixels,
      backgroundPixel,
      hasAlpha: visual.alphaMask !== 0,
      fontRouting: routing.port,
      childEnvironment: () => variablesByName(started.variables),
    },
    {
      size: geometry.size,
      internalBorder,
      inset,
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
      announceSizes: (sizes) => writeSizeHints(connection, atoms, { ...topLevel, ...sizes }),
      announceUrgency: (isUrgent) => writeWindowHints(connection, atoms, topLevel, { isUrgent }),
    },
  );
  listen(opening, { router, terminal, reject });
  show(opening, terminal);
  const ending = new Ending([...terminal.endingSteps, () => selections.close()]);
  return { window, ended, close: () => close(ending, connection) };
}

function show({ connection, window, launch }: Opening, terminal: TerminalWindow): void {
  // A running terminal waits for its server without a deadline; it ends with the connection.
  connection.liftDeadlines();
  terminal.start();
  connection.client.MapWindow(window);
  connection.flush();
  void launch?.complete(window);
}

/** Starts work that is useless before the first frame. */
function afterFirstFrame(
  terminal: TerminalWindow,
  parts: Opening & ConstructorParameters<typeof ScreenNotices>[0],
  visual: WindowVisual,
): void {
  boundHeapGrowth();
  terminal.fonts.wantBold();
  terminal.prepareWhileIdle();
  void new ScreenNotices(parts).start();
  // The end of the connection is reported elsewhere.
  showIcon(parts.connection, parts.window, () => terminal.isDestroyed).catch(() => {});
  const { slot, geometry, started } = parts;
  const { size: grid } = geometry;
  logStart(parts.diagnostics, { ...parts, visual, fonts: slot.fonts, grid, childId: started.processId });
}

/** Starts to handle the server's events and errors. */
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
        errors.log(`the X server refused a request: ${message}`);
        if (isDrawing(majorOpcode)) terminal.takeRefusal();
      }
    },
    onEnd: (error: DisplayUnavailableError) => reject(error),
  });
}

async function close(ending: Ending, connection: XConnection): Promise<void> {
  try {
    ending.run();
  } finally {
    await connection.finish();
  }
}
