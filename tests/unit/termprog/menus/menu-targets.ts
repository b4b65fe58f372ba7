import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { modeTable } from '../../../../src/termprog/engine/modes.ts';
import type { MenuTargets } from '../../../../src/termprog/menus/menu-targets.ts';
import { LiveOptions } from '../../../../src/termprog/options/live-options.ts';
import { resolveResources } from '../../../../src/termprog/xresource/resolve-resources.ts';
import { ResourceDatabase } from '../../../../src/termprog/xresource/resource-database.ts';
import { parseResources } from '../../../../src/termprog/xresource/resource-syntax.ts';

interface TargetOptions {
  hasAlpha?: boolean;
  allowSendEvents?: boolean;
  titles?: { isUtf8Locale: boolean; writesUtf8: boolean };
}

/** A terminal's settings, as a menu sees them, without a window. */
export function menuTargets({ hasAlpha = false, allowSendEvents = false, titles }: TargetOptions = {}): MenuTargets {
  const database = new ResourceDatabase();
  database.putBelow(parseResources(`*allowSendEvents: ${allowSendEvents}`), 'test');
  const options = new LiveOptions(resolveResources(termprogResources, database, { instance: 'term', class: 'Term' }));
  const modes = new Map(modeTable.map(({ name, initial }) => [name, initial]));
  const written = { isUtf8Locale: true, writesUtf8: true, ...titles };
  const fonts = {
    slot: 0,
    isOutline: false,
    select: (slot: number) => {
      fonts.slot = slot;
    },
    larger: () => {},
    smaller: () => {},
    setOutline: (isOutline: boolean) => {
      fonts.isOutline = isOutline;
    },
  };
  return {
    options,
    modes: {
      get: (name) => modes.get(name) ?? false,
      set: (name, isOn) => void modes.set(name, isOn),
      watch: () => () => {},
    },
    fonts,
    titles: {
      ...written,
      get writesUtf8() {
        return written.writesUtf8;
      },
      setWritesUtf8: (isWritten) => {
        written.writesUtf8 = isWritten;
      },
    },
    hasAlpha,
    repaint: () => {},
    quit: () => {},
  };
}
