import type { Configuration } from '../configuration.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { createSlotLoader } from '../window/fonts/create-slot-loader.ts';
import { wantsOutline } from '../window/fonts/font-switching.ts';
import type { LoadedSlot } from '../window/fonts/loaded-slot.ts';
import { chooseVisual } from '../window/frame/choose-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { readSettings } from '../xresource/settings.ts';

/** The fonts that a terminal started now would use. */
export interface ConfiguredSlot {
  slot: LoadedSlot;
  /** Whether outline fonts are requested; they may still be unavailable. */
  wantsOutline: boolean;
  /** Warnings of a start, a line each. */
  problems: readonly string[];
}

/**
 * Opens the fonts of the Default entry by the same steps as a start. @throws FontUnavailableError when there are no
 * fonts
 */
export async function openConfiguredSlot(
  connection: XConnection,
  { options, reader, resources }: Configuration,
): Promise<ConfiguredSlot> {
  const problems: string[] = [];
  const silent = (): void => {};
  const diagnostics: Diagnostics = {
    debug: silent,
    info: silent,
    warning: (line) => void problems.push(line),
    error: (line) => void problems.push(line),
  };
  const visual = chooseVisual(connection, options, { ...diagnostics, warning: silent });
  visual.catch(silent);
  const settings = readSettings(reader, { name: 'termprog', isUtf8: true });
  const loader = createSlotLoader(
    connection,
    settings,
    { options, resources, diagnostics },
    { notes: undefined, visual },
  );
  const isOutline = wantsOutline(options);
  const slot = (isOutline ? await loader.open(0, 'outline') : undefined) ?? (await loader.openDefault());
  return { slot, wantsOutline: isOutline, problems };
}
