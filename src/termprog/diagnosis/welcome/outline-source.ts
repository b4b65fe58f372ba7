import type { Configuration } from '../../configuration.ts';
import type { OpenFaceSource } from '../../fonts/outline/open-face-source.ts';
import { chooseVisual } from '../../window/choose-visual.ts';
import { OutlineOpener } from '../../window/fonts/outline-opener.ts';
import type { XConnection } from '../../x11/connection.ts';
import { readSettings } from '../../xresource/settings.ts';

/** The outline fonts for a screen, or why there are none. */
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
