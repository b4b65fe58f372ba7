import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { PNG } from 'pngjs';
import { termprogResources } from '../../schemas/termprog/index.ts';
import { screenshotWindow } from '../../scripts/stack/screenshot.ts';
import { createDiagnostics } from '../../src/termprog/diagnostics.ts';
import { readFile } from '../../src/termprog/host-facts.ts';
import { LiveOptions } from '../../src/termprog/options/live-options.ts';
import { internWindowAtoms } from '../../src/termprog/window/desktop/window-atoms.ts';
import { loadKeymap } from '../../src/termprog/window/input/keyboard.ts';
import { openTerminal } from '../../src/termprog/window/open-terminal.ts';
import { connectToDisplay } from '../../src/termprog/x11/open-display.ts';
import type { XConnection } from '../../src/termprog/x11/x-connection.ts';
import { createLookup } from '../../src/termprog/xresource/lookup.ts';
import { resolveResources } from '../../src/termprog/xresource/resolve-resources.ts';
import { readSettings } from '../../src/termprog/xresource/settings.ts';
import { collectResources } from '../../src/termprog/xresource/sources.ts';
import type { XDesktop } from './start-termprog.ts';

/** A terminal inside the test's own process, with its own connection to a real X server and a real child. */
export interface InProcessTerminal extends AsyncDisposable {
  readonly options: LiveOptions;
  readonly connection: XConnection;
  readonly window: number;
  readonly ended: Promise<void>;
  /** Complaints and diagnostics that it has printed. */
  readonly lines: readonly string[];
  screenshot(): Promise<PNG>;
}

const NAME = { instance: 'term', class: 'Term' };

/**
 * Opens a terminal in which a script runs.
 * @param resources lines of a resource file
 * @param meanwhile is called once the keyboard's mapping is known, before the terminal opens
 */
export async function openInProcess(
  desktop: Pick<XDesktop, 'environment'>,
  { resources = [], script, meanwhile }: { resources?: readonly string[]; script: string; meanwhile?(): unknown },
): Promise<InProcessTerminal> {
  const { DISPLAY, XAUTHORITY } = desktop.environment;
  const connection = await connectToDisplay({
    displayName: DISPLAY,
    hostName: hostname(),
    authorityFile: readFileSync(XAUTHORITY),
  });
  const host = {
    environment: { XFILESEARCHPATH: '/nonexistent' },
    home: '/nonexistent',
    hostName: hostname(),
    readFile: () => undefined,
    resourceManager: resources.join('\n'),
    screenResources: undefined,
  };
  const { database } = collectResources(host, NAME, []);
  const resolved = resolveResources(termprogResources, database, NAME);
  const options = new LiveOptions(resolved);
  const lines: string[] = [];
  const early = { atoms: internWindowAtoms(connection), keymap: loadKeymap(connection) };
  if (meanwhile !== undefined) {
    await early.keymap;
    await meanwhile();
  }
  const terminal = await openTerminal(connection, readSettings(options.reader, { name: 'termprog', isUtf8: true }), {
    name: NAME,
    hostName: hostname(),
    locale: 'C.UTF-8',
    processId: process.pid,
    environment: { ...process.env, ...desktop.environment },
    command: { program: '/bin/sh', argv: ['sh', '-c', script] },
    shell: '/bin/sh',
    nowMs: () => performance.now(),
    complain: (text) => void lines.push(text),
    diagnostics: createDiagnostics('debug', (line) => void lines.push(line)),
    options,
    resources: createLookup(database, NAME),
    composeSystem: { environment: {}, home: '', locale: 'C.UTF-8', readFile },
    early,
  });
  const { window } = terminal;
  return {
    options,
    connection,
    window,
    ended: terminal.ended,
    lines,
    screenshot: async () => PNG.sync.read(await screenshotWindow(desktop.environment, window)),
    [Symbol.asyncDispose]: async () => terminal.close(),
  };
}
