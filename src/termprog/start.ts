import { hostname } from 'node:os';
import { configure, NO_SERVER } from './configuration.ts';
import type { DisplayUnavailableError } from './errors.ts';
import { currentShell, homeFolder, readFile } from './host-facts.ts';
import { childCommand } from './pty/child-command.ts';
import { loadLibc } from './pty/libc.ts';
import { readServerResources } from './server-resources.ts';
import { tryDisplay, unavailability } from './try-display.ts';
import { internWindowAtoms } from './window/desktop/window-atoms.ts';
import { loadKeymap } from './window/input/keyboard.ts';
import { openTerminal } from './window/open-terminal.ts';
import type { XConnection } from './x11/x-connection.ts';
import type { CommandLine } from './xresource/command-line.ts';
import { readSettings } from './xresource/settings.ts';

export interface StartContext {
  commandLine: CommandLine;
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  /** Prints a report and returns the exit status. */
  print(text: string): Promise<number>;
  /** Aborting it closes everything at once. */
  stop: AbortSignal;
}

/** Opens the terminal, or prints the report of its configuration; resolves with the exit status at the end. */
export async function start(context: StartContext): Promise<number> {
  const display = await tryDisplay(context);
  if (display instanceof Error) return startWithout(display, context);
  closeWhenAborted(context.stop, display);
  const asked = {
    resources: readServerResources(display),
    atoms: internWindowAtoms(display),
    keymap: loadKeymap(display),
  };
  // The awaiting callers get the failures; before they do, a rejection must not end the program.
  for (const answer of Object.values<Promise<unknown>>(asked)) answer.catch(() => {});
  display.flush();
  // Loaded while the server answers.
  preloadLibc();
  const fromServer = await asked.resources.catch(unavailability);
  if (fromServer instanceof Error) return startWithout(fromServer, context);
  const configuration = configure(context, fromServer);
  const { reader, diagnostics, options, resources, name, locale } = configuration;
  if (reader.boolean('reportConfig')) {
    display.close();
    return context.print(configuration.report());
  }
  const { commandLine, environment, stop, complain } = context;
  const shell = currentShell(environment);
  const settings = readSettings(reader, { name: commandLine.name ?? 'termprog', isUtf8: /utf-?8/i.test(locale) });
  if (settings.toolkit.isSynchronous) display.makeSynchronous();
  const terminal = await openTerminal(display, settings, {
    name,
    hostName: hostname(),
    locale,
    processId: process.pid,
    environment,
    command: childCommand(commandLine.command, { shell, isLogin: settings.session.loginShell }),
    shell,
    nowMs: () => performance.now(),
    complain,
    diagnostics,
    options,
    resources,
    composeSystem: { environment, home: homeFolder(environment), locale, readFile: (path) => readFile(path) },
    early: asked,
  });
  stop.addEventListener('abort', () => void terminal.close());
  try {
    if (!stop.aborted) await terminal.ended;
    return 0;
  } finally {
    await terminal.close();
  }
}

/** Prints the report, which needs no server. @throws DisplayUnavailableError when a window is wanted */
function startWithout(unavailable: DisplayUnavailableError, context: StartContext): Promise<number> {
  const { reader, report } = configure(context, NO_SERVER);
  if (!reader.boolean('reportConfig')) throw unavailable;
  return context.print(report(`without the resources that an X server keeps: ${unavailable.message}`));
}

function closeWhenAborted(stop: AbortSignal, connection: XConnection): void {
  if (stop.aborted) connection.close();
  else stop.addEventListener('abort', () => connection.close(), { once: true });
}

/** Loads the C library ahead of its use. */
function preloadLibc(): void {
  try {
    loadLibc();
  } catch {
    // Starting the child loads it again, and reports the failure.
  }
}
