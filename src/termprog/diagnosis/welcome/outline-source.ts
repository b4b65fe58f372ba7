import type { Configuration } from '../../configuration.ts';
import type { OpenFaceSource } from '../../fonts/outline/open-face-source.ts';
import { OutlineOpener } from '../../window/fonts/outline-opener.ts';
import { chooseVisual } from '../../window/frame/choose-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { readSettings } from '../../xresource/settings.ts';

/** Opens the outline fonts for a screen, or returns the reason why they are unavailable. */
export async function openOutlineSource(
  connection: XConnection,
  { options, reader, resources }: Configuration,
): Promise<{ source: OpenFaceSource } | { reason: string }> {
  let reason = 'unknown';
  const silent = (): void => {};
  const diagnostics = { debug: silent, info: silent, warning: silent, error: silent };
  const opener = new OutlineOpener({
    connection,
    visual: chooseVisual(connection, options, diagnostics),
    faceName: undefined,
    routing: readSettings(reader, { name: 'termprog', isUtf8: true }).routing,
    resources,
    notes: undefined,
    diagnostics: {
      ...diagnostics,
      warning: (line) => {
        reason = line;
      },
    },
  });
  const ready = await opener.prepare();
  return ready === undefined ? { reason } : { source: ready.source };
}
