import { actions } from '../actions/index.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { HeadlessEngine } from '../engine/headless-engine.ts';
import type { DisplayUnavailableError } from '../errors.ts';
import { openFontSet } from '../fonts/font-set.ts';
import { childEnvironment } from '../pty/child-environment.ts';
import { Pty } from '../pty/pty.ts';
import { BitmapRenderer } from '../render/bitmap-renderer.ts';
import { StyleResolver } from '../render/cell-style.ts';
import { Graphics } from '../render/graphics.ts';
import { Palette } from '../render/palette.ts';
import { PENDING_ACTIONS } from '../translations/default-translations.ts';
import type { XConnection } from '../x11/connection.ts';
import type { Settings } from '../xresource/settings.ts';
import { loadBindings, loadKeymap } from './keyboard.ts';
import { TerminalWindow } from './terminal-window.ts';
import { loadTextColors } from './text-colors.ts';
import { Titles } from './titles.ts';
import { createTopLevelWindow } from './top-level-window.ts';
import { internWindowAtoms } from './window-atoms.ts';

/** What the machine and the command line say about this terminal. */
export interface TerminalContext {
  name: { instance: string; class: string };
  hostName: string;
  processId: number;
  environment: Readonly<Record<string, string | undefined>>;
  /** Program to start and its arguments, argument zero first. */
  command: { program: string; argv: readonly string[] };
  shell: string;
  nowMs(): number;
  diagnostics: Diagnostics;
}

export interface OpenTerminal {
  /** Resolves when the window has been closed; rejects when the X server went away. */
  readonly ended: Promise<void>;
  /** Hangs up on the child and closes the window. */
  close(): void;
}

/** Opens the window, starts the child in it, and shows it. */
export async function openTerminal(
  connection: XConnection,
  settings: Settings,
  context: TerminalContext,
): Promise<OpenTerminal> {
  const { diagnostics } = context;
  const [fonts, colors, atoms, keymap] = await Promise.all([
    openFontSet(connection, settings.fonts, diagnostics),
    loadTextColors(connection, settings.colors, diagnostics),
    internWindowAtoms(connection),
    loadKeymap(connection),
  ]);
  const palette = new Palette(connection.screen, colors);
  const { columns, rows, internalBorder } = settings.window;
  const cell = { width: fonts.normal.cellWidth, height: fonts.normal.ascent + fonts.normal.descent };
  const window = createTopLevelWindow(connection, atoms, {
    ...settings.window,
    cell,
    backgroundPixel: palette.pixel(colors.background),
    borderPixel: palette.pixel(colors.border),
    iconPlace: settings.window.iconGeometry,
    name: context.name,
    hostName: context.hostName,
    processId: context.processId,
  });
  const renderer = new BitmapRenderer({
    fonts,
    graphics: new Graphics(connection, window),
    styles: new StyleResolver(palette, settings.colors),
    cursorPixel: palette.pixel(colors.cursor),
    internalBorder,
  });
  renderer.resize(columns, rows);
  const titles = new Titles(connection, window, atoms, settings.titles);
  titles.set('title', settings.titles.title);
  titles.set('iconName', settings.titles.iconName);
  // The engine's answers need the window, which needs the engine.
  const held: { terminal?: TerminalWindow } = {};
  const engine = new HeadlessEngine(
    { columns, rows, saveLines: settings.scrolling.saveLines, cursorShape: settings.cursor.shape },
    {
      onReply: (text) => held.terminal?.send(text),
      onTitle: (title) => titles.request('title', title),
      onIconName: (name) => titles.request('iconName', name),
      onBell: () => held.terminal?.bell(),
      onEnquiry: () => held.terminal?.send(settings.session.answerback),
    },
  );
  const pty = startChild(connection, window, settings, context, cell);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const terminal = new TerminalWindow(
    {
      connection,
      window,
      atoms,
      engine,
      renderer,
      pty,
      keymap,
      bindings: loadBindings(settings.session.translations, diagnostics),
      actions,
      pendingActions: PENDING_ACTIONS,
      diagnostics,
    },
    {
      internalBorder,
      alwaysHighlight: settings.cursor.alwaysHighlight,
      scrollOnOutput: settings.scrolling.onOutput,
      scrollOnKey: settings.scrolling.onKey,
      hold: settings.session.hold,
      nowMs: context.nowMs,
      onClose: resolve,
      reloadKeymap: () => loadKeymap(connection),
    },
  );
  held.terminal = terminal;
  // Before the window is shown: the first Expose comes right after.
  connection.listen({
    onEvent: (event) => terminal.handleEvent(event),
    onError: (message) => diagnostics.warning(`the X server refused a request: ${message}`),
    onEnd: (error: DisplayUnavailableError) => reject(error),
  });
  connection.client.MapWindow(window);
  connection.client.flush();
  return {
    ended,
    close: () => {
      terminal.close();
      connection.close();
    },
  };
}

function startChild(
  connection: XConnection,
  window: number,
  settings: Settings,
  { command, environment, shell }: TerminalContext,
  cell: { width: number; height: number },
): Pty {
  const { columns, rows } = settings.window;
  return new Pty({
    ...command,
    environment: childEnvironment(environment, {
      termName: settings.session.termName,
      windowId: window,
      display: connection.name,
      shell,
    }),
    size: { columns, rows, width: columns * cell.width, height: rows * cell.height },
  });
}
