import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { connectToDisplay } from '../../src/termprog/x11/open-display.ts';
import { queryExtension } from '../../src/termprog/x11/query-extension.ts';
import type { XDesktop } from './start-termprog.ts';

/** A request of XTEST, and the events that it makes. */
const FAKE_INPUT = 2;
const KEY_PRESS = 2;
const KEY_RELEASE = 3;

/** A key that goes down or up, by its keycode. */
export type KeyMove = { down: number } | { up: number };

/** Moves keys as a person's hand does; xdotool(1) sets the group of the keyboard for each key. */
export async function moveKeys({ environment }: Pick<XDesktop, 'environment'>, moves: KeyMove[]): Promise<void> {
  const connection = await connectToDisplay({
    displayName: environment.DISPLAY,
    hostName: hostname(),
    authorityFile: readFileSync(environment.XAUTHORITY),
  });
  const { majorOpcode = 0 } = (await queryExtension(connection, 'XTEST')) ?? {};
  for (const move of moves) {
    const request = Buffer.alloc(36);
    const [type, keycode] = 'down' in move ? [KEY_PRESS, move.down] : [KEY_RELEASE, move.up];
    request.set([majorOpcode, FAKE_INPUT, request.length / 4, 0, type, keycode]);
    connection.sendRequests(request, 1);
  }
  // The answer says that the server has done it.
  await queryExtension(connection, 'XTEST');
  connection.close();
}

/** Presses keys one after the other; those of one stroke together. */
export function pressKeys(desktop: Pick<XDesktop, 'environment'>, ...strokes: number[][]): Promise<void> {
  return moveKeys(
    desktop,
    strokes.flatMap((keycodes) => [
      ...keycodes.map((down) => ({ down })),
      ...keycodes.toReversed().map((up) => ({ up })),
    ]),
  );
}
