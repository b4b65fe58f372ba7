import { expect, test } from 'vitest';
import { type OpenedFont, openCoreFont } from '../../../../src/termprog/fonts/core-font.ts';
import {
  firstFontSet,
  NO_STYLES,
  openBoldFont,
  openFirstFont,
  openWiderFonts,
} from '../../../../src/termprog/fonts/font-set.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';
import { startLibraryServer } from '../x11/library-server.ts';

/** Code of a request, and of the error of a server without memory; X11 protocol. */
const CLOSE_FONT = 46;
const BAD_ALLOC = 11;

/** Names that no request can carry. The test's server would accept any name, so our own code must refuse these. */
const NAMES_OF_NOBODY = ['f'.repeat(256), 'f'.repeat(70_000), 'f'.repeat(300_000), 'fixеd'];

const quiet = { debug: () => {}, info: () => {}, warning: () => {}, error: () => {} };

test('the first font costs one round trip', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  let pieces = 0;
  server.sockets[0]?.on('data', () => {
    pieces += 1;
  });

  const font = await openFirstFont(connection, 'any', quiet);

  expect(pieces).toBe(1);
  expect(font).toMatchObject({ name: 'any', cellWidth: 8, xlfd: undefined });
  expect(font.has(0x41)).toBe(true);
  expect(firstFontSet(font)).toMatchObject({ normal: { name: 'any' }, bold: undefined, wide: undefined });
});

test('a font without a full name has no related fonts except the bold one that is configured', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const first = await openFirstFont(connection, 'any', quiet);

  const fonts = await openOtherFonts(connection, first, { bold: 'heavy' }, quiet);

  expect(fonts.normal).toBe(first);
  expect(fonts.bold?.name).toBe('heavy');
  expect([fonts.normalUnicode, fonts.boldUnicode, fonts.wide]).toEqual([undefined, undefined, undefined]);
});

for (const name of NAMES_OF_NOBODY) {
  test(`a name of ${name.length} characters, which a server can not be asked for, is no font`, async () => {
    await using server = await startLibraryServer();
    const connection = await server.connect();
    const told: string[] = [];

    const font = await openFirstFont(connection, name, { ...quiet, warning: (message) => told.push(message) });

    expect(font.name).toBe('fixed');
    const shown = name.length > 255 ? `"${'f'.repeat(40)}…" of ${name.length} characters` : `"${name}"`;
    expect(told).toEqual([`resource vt100.font: the X server has no font ${shown}; "fixed" is used`]);
  });
}

for (const bold of NAMES_OF_NOBODY) {
  test(`a bold font of ${bold.length} characters that can not be asked for spoils no other`, async () => {
    await using server = await startLibraryServer();
    const connection = await server.connect();
    const told: string[] = [];
    const first = await openFirstFont(connection, 'any', quiet);
    first.xlfd = '-a-b-medium-r-normal--13-120-75-75-c-70-iso8859-1';

    const warning = (message: string): number => told.push(message);
    const fonts = await openOtherFonts(connection, { ...first, fullNameAtom: 18 }, { bold }, { ...quiet, warning });

    expect(fonts.bold?.name).toBe('-a-b-bold-r-normal--13-120-75-75-c-70-iso8859-1');
    expect(fonts.normalUnicode?.name).toBe('-a-b-medium-r-normal--13-120-75-75-c-70-iso10646-1');
    expect(told).toHaveLength(1);
    expect(told[0]?.length).toBeLessThan(200);
  });
}

test('a font whose full name the server does not give has no related fonts, and the program goes on', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const first = await openFirstFont(connection, 'any', quiet);

  const fonts = await openOtherFonts(connection, { ...first, fullNameAtom: 0x7fffffff }, { bold: undefined }, quiet);

  expect(fonts.normal.name).toBe('any');
  expect(fonts.normalUnicode).toBeUndefined();
});

test('a font that the server has opened but can not describe is closed, and its number is not given away', async () => {
  await using server = await startLibraryServer();
  const connection = await server.connect();
  const [socket] = server.sockets;
  if (socket === undefined) throw new Error('the server has no client');
  const write = socket.write.bind(socket);
  socket.write = ((description: Uint8Array) => {
    const error = Buffer.alloc(32);
    error.set([0, BAD_ALLOC, ...description.subarray(2, 4)]);
    return write(error);
  }) as typeof write;
  let last = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    last = Buffer.from(bytes);
  });
  const before = connection.client.AllocID();

  expect(await openCoreFont(connection, 'any')).toBeUndefined();

  expect(connection.client.AllocID()).toBe(before + 2);
  socket.write = write;
  await new Promise<void>((resolve) => connection.fence(resolve));
  expect([last[0], last.readUInt32LE(4)]).toEqual([CLOSE_FONT, before + 1]);
});

async function openOtherFonts(
  connection: XConnection,
  normal: OpenedFont,
  settings: { bold: string | undefined; wideBold?: string },
  diagnostics: Parameters<typeof openBoldFont>[3],
) {
  const styles = { ...NO_STYLES, ...settings };
  const bold = await openBoldFont(connection, normal, styles, diagnostics);
  return { normal, bold, ...(await openWiderFonts(connection, { normal, bold }, styles, diagnostics)) };
}
