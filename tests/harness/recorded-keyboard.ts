import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { XkbKeymap } from '../../src/termprog/input/xkb-keymap.ts';
import { connectToDisplay } from '../../src/termprog/x11/open-display.ts';
import { queryExtension } from '../../src/termprog/x11/query-extension.ts';
import { readMap } from '../../src/termprog/x11/xkb.ts';
import type { XDesktop } from './start-termprog.ts';

/** Requests UseExtension and GetMap of XKB, and the requested parts of the map: types, keysyms, modifiers. */
const USE_EXTENSION = 0;
const GET_MAP = 8;
const CORE_KEYBOARD = 0x100;
const PARTS = 0b111;

const fileOf = (layout: string): string => `tests/golden/termprog/keys/${layout}.xkb`;

/** The keyboard that was recorded with a layout. */
export const recordedKeymap = (layout: string): XkbKeymap =>
  new XkbKeymap(readMap(Buffer.from(readFileSync(fileOf(layout), 'latin1'), 'base64')));

/** The server's answer about its keyboard as it is now, in lines of base64. */
export async function recordKeyboard({ environment: { DISPLAY, XAUTHORITY } }: XDesktop): Promise<string> {
  const connection = await connectToDisplay({
    displayName: DISPLAY,
    hostName: hostname(),
    authorityFile: readFileSync(XAUTHORITY),
  });
  const extension = await queryExtension(connection, 'XKEYBOARD');
  const ask = (minorOpcode: number, fields: readonly number[]): Promise<Buffer> => {
    const words = Uint16Array.of(0, 0, ...fields);
    const request = Buffer.from(words.buffer);
    request[0] = extension?.majorOpcode ?? 0;
    request[1] = minorOpcode;
    request.writeUInt16LE(request.length / 4, 2);
    return connection.askBytes('the keyboard', request);
  };
  await ask(USE_EXTENSION, [1, 0]);
  const body = await ask(GET_MAP, [CORE_KEYBOARD, PARTS, ...Array.from({ length: 10 }, () => 0)]);
  connection.close();
  return `${body.toString('base64').replace(/.{100}/g, '$&\n')}\n`;
}
