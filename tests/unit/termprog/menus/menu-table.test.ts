import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { actions } from '../../../../src/termprog/actions/index.ts';
import { modeTable } from '../../../../src/termprog/engine/modes.ts';
import { menus } from '../../../../src/termprog/menus/menu-list.ts';
import { DEFAULT_TRANSLATIONS } from '../../../../src/termprog/translations/default-translations.ts';
import { readMenuRows } from '../../../conformance/requirements/menu-entries.ts';
import { menuTargets } from './menu-targets.ts';

const rows = readMenuRows();
const entries = menus.flatMap(({ groups }) => groups.flat());

test('the menus have the entries of the specification, in its order, and no others', () => {
  for (const { items, entries: ours } of rows) {
    expect(ours.map(({ label }) => label)).toEqual(items.map((item) => expect.stringContaining(item)));
  }
  expect(rows.flatMap((row) => row.entries)).toEqual(entries);
});

test('exactly the entries that the specification calls unavailable can never be chosen', () => {
  const never = entries.filter(
    (entry) =>
      !entry.isSensitive(menuTargets()) &&
      !entry.isSensitive(menuTargets({ hasAlpha: true, titles: { isUtf8Locale: false, writesUtf8: false } })),
  );
  expect(never).toEqual(rows.filter(({ isUnavailable }) => isUnavailable).flatMap((row) => row.entries));
});

test('each entry that can be chosen has a name of its own in its menu, and each toggle changes something that is there', () => {
  for (const { groups } of menus) {
    const names = groups.flat().map(({ name }) => name);
    expect([...new Set(names)]).toEqual(names);
  }
  const live = termprogResources.filter((row) => row.live === true).map(({ name }) => name);
  const modes = modeTable.map(({ name }) => name);
  for (const { changes } of entries) {
    if (changes === undefined) continue;
    if ('option' in changes) expect(live).toContain(changes.option);
    else expect(modes).toContain(changes.mode);
  }
});

test('each menu is shown by an action that is bound to a button, and each entry that has an action changes the same', () => {
  const names = actions.map(({ name }) => name);
  expect(names).toContain('popup-menu');
  for (const { name } of menus) expect(DEFAULT_TRANSLATIONS).toContain(`popup-menu(${name})`);
  const changedBy: Readonly<Record<string, string>> = {
    'allow-title-ops': 'allowTitleOps',
    'allow-color-ops': 'allowColorOps',
    'set-font-linedrawing': 'forceBoxChars',
    'set-render-font': 'renderFont',
    'set-utf8-title': 'utf8Title',
  };
  for (const [action, option] of Object.entries(changedBy)) {
    expect(names).toContain(action);
    expect(entries.filter(({ changes }) => changes && 'option' in changes && changes.option === option)).toHaveLength(
      1,
    );
  }
});

test('a toggle that is chosen twice is as it was, and its mark reports its state', () => {
  const targets = menuTargets({ titles: { isUtf8Locale: false, writesUtf8: false } });
  for (const entry of entries.filter(({ changes, kind }) => kind === 'toggle' && changes !== undefined)) {
    const before = entry.isChecked(targets);
    entry.run(targets);
    expect([entry.name, entry.isChecked(targets)]).toEqual([entry.name, !before]);
    entry.run(targets);
    expect([entry.name, entry.isChecked(targets)]).toEqual([entry.name, before]);
  }
});

test('titles and window operations can be chosen only while sent events are not allowed; colours always', () => {
  const chosen = (allowSendEvents: boolean): string[] => {
    const targets = menuTargets({ allowSendEvents });
    return entries.filter((entry) => entry.isSensitive(targets)).map(({ name }) => name);
  };
  expect(chosen(false).filter((name) => !chosen(true).includes(name))).toEqual(['allow-title-ops', 'allow-window-ops']);
  expect(chosen(true)).toContain('allow-color-ops');
});

test('in a UTF-8 locale UTF-8 Titles is checked and cannot be chosen', () => {
  const entry = entries.find(({ name }) => name === 'utf8-title');
  const inUtf8 = menuTargets({ titles: { isUtf8Locale: true, writesUtf8: false } });
  expect([entry?.isSensitive(inUtf8), entry?.isChecked(inUtf8)]).toEqual([false, true]);
});
