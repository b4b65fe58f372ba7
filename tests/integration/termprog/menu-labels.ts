import type { PNG } from 'pngjs';
import { ENTRY_HEIGHT, isBlackAt, LABEL_LEFT } from '../../harness/shown-menu.ts';
import type { TestConnection } from '../../harness/test-connection.ts';

/** The font of labels: the height of its characters above the line. */
const FONT = '6x13';
const ASCENT = 11;
const HEIGHT = 13;
const CHARACTER_WIDTH = 6;

/** Z pixmap, and all planes. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;

/** Draws a label as the server's own font has it: for each pixel of the entry from the label on, whether it is ink. */
async function inkOf({ x: connection }: TestConnection, label: string): Promise<(x: number, y: number) => boolean> {
  const { client, screen } = connection;
  const width = label.length * CHARACTER_WIDTH;
  const [pixmap, gc, font] = [client.AllocID(), client.AllocID(), client.AllocID()];
  client.OpenFont(font, FONT);
  client.CreatePixmap(pixmap, screen.root, screen.root_depth, width, ENTRY_HEIGHT);
  client.CreateGC(gc, pixmap, { foreground: screen.white_pixel, font });
  client.PolyFillRectangle(pixmap, gc, [0, 0, width, ENTRY_HEIGHT]);
  client.ChangeGC(gc, { foreground: screen.black_pixel });
  client.PolyText8(pixmap, gc, 0, ((ENTRY_HEIGHT - HEIGHT) >> 1) + ASCENT, [label]);
  const { data } = await connection.ask<{ data: Buffer }>('the picture of a label', (x, reply) =>
    x.GetImage(Z_PIXMAP, pixmap, 0, 0, width, ENTRY_HEIGHT, ALL_PLANES, reply),
  );
  return (x, y) => x < width && (data.readUInt32LE((y * width + x) * 4) & 0xff_ffff) === 0;
}

/** Returns the look of an entry's label: `grey` leaves out every other pixel. */
export async function lookOf(
  connection: TestConnection,
  picture: PNG,
  top: number,
  label: string,
): Promise<'plain' | 'grey' | 'another'> {
  const ink = await inkOf(connection, label);
  const isLike = (isInk: (x: number, y: number) => boolean): boolean => {
    for (let y = 0; y < ENTRY_HEIGHT; y += 1) {
      for (let x = 0; x < picture.width - LABEL_LEFT; x += 1) {
        if (isBlackAt(picture, LABEL_LEFT + x, top + y) !== isInk(x, y)) return false;
      }
    }
    return true;
  };
  if (isLike(ink)) return 'plain';
  return isLike((x, y) => ink(x, y) && (x + LABEL_LEFT + y + top) % 2 === 1) ? 'grey' : 'another';
}
