import { fontSlot, type Menu, type MenuEntry, toggleOption, unavailable } from './menu-entry.ts';
import type { MenuTargets } from './menu-targets.ts';

/**
 * Whether sent events are refused; while they are accepted, some permissions have no effect, regardless of their
 * option.
 */
const takesNoSentEvents = ({ options }: MenuTargets): boolean => !options.get('allowSendEvents');

const trueTypeFonts: MenuEntry = {
  name: 'render-font',
  label: 'TrueType Fonts',
  kind: 'toggle',
  changes: { option: 'renderFont' },
  isSensitive: () => true,
  isChecked: ({ fonts }) => fonts.isOutline,
  run: ({ fonts }) => fonts.setOutline(!fonts.isOutline),
};

const utf8Titles: MenuEntry = {
  name: 'utf8-title',
  label: 'UTF-8 Titles',
  kind: 'toggle',
  changes: { option: 'utf8Title' },
  isSensitive: ({ titles }) => !titles.isUtf8Locale,
  isChecked: ({ titles }) => titles.isUtf8Locale || titles.writesUtf8,
  run: ({ titles }) => titles.setWritesUtf8(!titles.writesUtf8),
};

/** @spec termprog#popup-menus */
export const fontMenu: Menu = {
  name: 'fontMenu',
  title: 'VT Fonts',
  groups: [
    [
      fontSlot('fontdefault', 'Default', 0),
      fontSlot('font1', 'Unreadable', 1),
      fontSlot('font2', 'Tiny', 2),
      fontSlot('font3', 'Small', 3),
      fontSlot('font4', 'Medium', 4),
      fontSlot('font5', 'Large', 5),
      fontSlot('font6', 'Huge', 6),
      fontSlot('font7', 'Enormous', 7),
      unavailable('fontescape', 'Escape Sequence'),
      unavailable('fontsel', 'Selection'),
    ],
    [
      unavailable('allow-bold-fonts', 'Bold Fonts'),
      toggleOption('font-linedrawing', 'Procedural Glyphs', 'forceBoxChars'),
      unavailable('font-packed', 'Packed Font'),
      unavailable('font-doublesize', 'Doublesized Characters'),
      unavailable('font-loadable', 'VT220 Soft Fonts'),
    ],
    [trueTypeFonts, unavailable('utf8-mode', 'UTF-8 Encoding'), unavailable('utf8-fonts', 'UTF-8 Fonts'), utf8Titles],
    [
      toggleOption('allow-color-ops', 'Allow Color Ops', 'allowColorOps'),
      toggleOption('allow-mouse-ops', 'Allow Mouse Ops', 'allowMouseOps'),
      toggleOption('allow-tcap-ops', 'Allow Termcap Ops', 'allowTcapOps'),
      toggleOption('allow-title-ops', 'Allow Title Ops', 'allowTitleOps', takesNoSentEvents),
      toggleOption('allow-window-ops', 'Allow Window Ops', 'allowWindowOps', takesNoSentEvents),
    ],
  ],
};
