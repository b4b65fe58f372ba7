import { expect, test } from 'vitest';
import { characterOf, keysymNamed } from '../../../../src/termprog/input/keysyms.ts';
import { searchCommand } from '../../../../src/termprog/search/search-keys.ts';

test.each([
  ['Up', '', 'older'],
  ['KP_Up', '', 'older'],
  ['Down', '', 'newer'],
  ['F3', '', 'newer'],
  ['F3', 'shift', 'older'],
  ['Return', '', 'copy'],
  ['KP_Enter', '', 'copy'],
  ['Escape', '', 'cancel'],
  ['BackSpace', '', 'dropCharacter'],
  ['Insert', 'shift', 'paste'],
  ['Insert', '', 'nothing'],
  ['a', '', undefined],
  ['A', 'shift', undefined],
  ['space', '', undefined],
  ['KP_5', '', undefined],
  ['EuroSign', '', undefined],
  ['u', 'control', 'clear'],
  ['w', 'control', 'dropWord'],
  ['h', 'control', 'dropCharacter'],
  ['g', 'control', 'cancel'],
  ['z', 'control', 'nothing'],
  ['U', 'control shift', 'nothing'],
  ['x', 'other', 'nothing'],
  ['Tab', '', 'nothing'],
  ['F5', '', 'nothing'],
  ['Prior', 'shift', 'nothing'],
  ['Shift_L', '', 'nothing'],
])('%s with "%s" held: %s', (name, held, command) => {
  const keysym = keysymNamed(name) ?? 0;
  const modifiers = {
    shift: held.includes('shift'),
    control: held.includes('control'),
    other: held.includes('other'),
  };
  expect(searchCommand(keysym, characterOf(keysym), modifiers)).toBe(command);
});
