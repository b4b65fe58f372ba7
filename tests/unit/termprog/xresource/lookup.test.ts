import { expect, test } from 'vitest';
import { createLookup } from '../../../../src/termprog/xresource/lookup.ts';
import { collectResources } from '../../../../src/termprog/xresource/sources.ts';

test('resources of widgets that no row describes are found as X finds them', () => {
  const program = { instance: 'term', class: 'Term' };
  const host = {
    environment: {},
    home: '/home/ada',
    hostName: 'host',
    readFile: () => undefined,
    resourceManager: '*SimpleMenu*font: 9x15\nterm.vt100.scrollbar.width: 20\nOther*Scrollbar.width: 3\n',
    screenResources: undefined,
  };
  const { lookup } = createLookup(collectResources(host, program, []).database, program);

  expect(lookup(['mainMenu', 'quit', 'font'], ['SimpleMenu', 'SmeBSB', 'Font'])).toBe('9x15');
  expect(lookup(['vt100', 'scrollbar', 'width'], ['VT100', 'Scrollbar', 'Width'])).toBe('20');
  expect(lookup(['mainMenu', 'quit', 'label'], ['SimpleMenu', 'SmeBSB', 'Label'])).toBeUndefined();
});
