import { expect, test } from 'vitest';
import { createTopLevelWindow } from '../../../../../src/termprog/window/desktop/top-level-window.ts';
import { internWindowAtoms } from '../../../../../src/termprog/window/desktop/window-atoms.ts';
import { rootVisual } from '../../../../../src/termprog/x11/window-visual.ts';
import { startLibraryServer } from '../../x11/library-server.ts';

/** Length of a text that is longer than one request may carry. */
const LONG = 300_000;

const NAME_MAX_CHARACTERS = 4_096;

test('window managers learn the names', async () => {
  await using window = await createNamed({ instance: 'term', class: 'Term' }, 'host');

  expect([window.class, window.machine]).toEqual(['term\0Term\0', 'host']);
});

test('names that no request has room for are cut', async () => {
  await using window = await createNamed({ instance: 'i'.repeat(LONG), class: 'c'.repeat(LONG) }, 'h'.repeat(LONG));

  const cut = (letter: string): string => letter.repeat(NAME_MAX_CHARACTERS);
  expect(window.class).toBe(`${cut('i')}\0${cut('c')}\0`);
  expect(window.machine).toBe(cut('h'));
});

/** Makes a window with names, and gives its id. */
async function createNamed(name: { instance: string; class: string }, hostName: string) {
  const server = await startLibraryServer();
  const connection = await server.connect();
  const atoms = await internWindowAtoms(connection);
  const window = connection.client.AllocID();
  createTopLevelWindow(connection, atoms, {
    window,
    visual: rootVisual(connection.screen),
    size: { columns: 80, rows: 24 },
    isSizeGiven: false,
    cell: { width: 6, height: 13 },
    resizesByPixel: false,
    internalBorder: 2,
    borderWidth: 0,
    backgroundPixel: 0,
    borderPixel: 0,
    place: {},
    iconic: false,
    iconPlace: undefined,
    name,
    hostName,
    locale: 'C.UTF-8',
    processId: 1,
  });
  return {
    class: await connection.readProperty(window, atoms.wmClass),
    machine: await connection.readProperty(window, atoms.wmClientMachine),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
