import { readFileSync } from 'node:fs';
import { connectToDisplay } from '../../src/termprog/x11/open-display.ts';
import type { XConnection } from '../../src/termprog/x11/x-connection.ts';
import type { XDesktop } from './start-termprog.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;

/** A test's own connection to the X server of a desktop. */
export interface TestConnection extends AsyncDisposable {
  readonly x: XConnection;
  /** A pixel of a window as 0xrrggbb; coordinates count from its corner. */
  pixelAt(window: number, x: number, y: number): Promise<number>;
}

export async function openTestConnection(desktop: Pick<XDesktop, 'environment'>): Promise<TestConnection> {
  const connection = await connectToDisplay({
    displayName: desktop.environment.DISPLAY,
    hostName: 'tests',
    authorityFile: readFileSync(desktop.environment.XAUTHORITY),
  });
  return {
    x: connection,
    pixelAt: async (window, x, y) => {
      const { data } = await connection.ask<{ data: Buffer }>('a pixel', (client, reply) =>
        client.GetImage(Z_PIXMAP, window, x, y, 1, 1, ALL_PLANES, reply),
      );
      return data.readUInt32LE(0) & 0xff_ffff;
    },
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
