import { type Diagnostics, warnOnce } from '../../diagnostics.ts';
import type { RoutingNotes } from '../../fonts/routing/routing-records.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { WindowVisual } from '../../x11/window-visual.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';
import type { Settings } from '../../xresource/settings.ts';
import { OutlineOpener } from './outline-opener.ts';
import { SlotLoader } from './slot-loader.ts';

/** Creates the loader of the fonts of the VT Fonts menu's entries, as configured. */
export function createSlotLoader(
  connection: XConnection,
  settings: Pick<Settings, 'fonts' | 'routing'>,
  context: { options: LiveOptions; resources: ResourceLookup; diagnostics: Diagnostics },
  { notes, visual }: { notes: RoutingNotes | undefined; visual: Promise<WindowVisual> },
): SlotLoader {
  const { options, resources } = context;
  // Entries are opened repeatedly, with the same faults.
  const diagnostics = warnOnce(context.diagnostics);
  const faceName = options.reader.text('faceName');
  const { routing } = settings;
  const outline = new OutlineOpener({ connection, visual, faceName, routing, resources, notes, diagnostics });
  return new SlotLoader({
    ...settings.fonts,
    connection,
    openOutline: outline.open.bind(outline),
    ownPoints: outline.ownPoints.bind(outline),
    diagnostics,
  });
}
