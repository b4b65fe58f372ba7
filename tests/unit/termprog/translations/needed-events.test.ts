import { expect, test } from 'vitest';
import x11 from 'x11';
import { keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { DEFAULT_TRANSLATIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { neededEvents } from '../../../../src/termprog/translations/needed-events.ts';
import { parseTranslations } from '../../../../src/termprog/translations/parser.ts';
import { WINDOW_EVENTS } from '../../../../src/termprog/window/desktop/top-level-window.ts';

const needed = (table: string): string[] => {
  const mask = neededEvents(parseTranslations(table, keysymNamed).bindings);
  return Object.entries(x11.eventMask).flatMap(([name, bit]) => ((mask & bit) === 0 ? [] : [name]));
};

for (const [line, names] of [
  ['<Key>a: x()', ['KeyPress']],
  ['<Key>(2)a: x()', ['KeyPress', 'KeyRelease']],
  ['<Btn1Up>: x()', ['ButtonPress', 'ButtonRelease']],
  ['<Motion>: x()', ['PointerMotion']],
  ['Shift<BtnMotion>: x()', ['ButtonMotion']],
  ['<Btn1Motion>: x()', ['Button1Motion']],
  ['Button2 Button3<Motion>: x()', ['Button2Motion', 'Button3Motion']],
  ['<Enter>: x()\n<Leave>: y()', ['EnterWindow', 'LeaveWindow']],
  ['<FocusOut>: x()', ['FocusChange']],
  ['<Map>,<Unmap>: x()', ['StructureNotify']],
  ['<Prop>WM_NAME: x()', ['PropertyChange']],
  ['<Keymap>: x()', ['KeymapState']],
  ['<Expose>: x()', ['Exposure']],
  ['<Visible>: x()', ['VisibilityChange']],
  ['<Clrmap>: x()', ['ColormapChange']],
  ['<Message>: x()\n<Mapping>: y()\n<SelClr>: z()', []],
  ['<ResReq>: x()\n<MapReq>: y()\n<ConfigureReq>: z()', []],
] as const) {
  test(`${line} needs ${names.join(' and ') || 'no events that are asked for'}`, () => {
    expect(needed(line)).toEqual(names);
  });
}

test('the built-in table needs only events that the window requests anyway', () => {
  const { bindings } = parseTranslations(DEFAULT_TRANSLATIONS, keysymNamed);
  expect(neededEvents(bindings) & ~WINDOW_EVENTS).toBe(0);
});
