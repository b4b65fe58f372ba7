import { PNG } from 'pngjs';
import { answer, connectX, type XServerAddress } from '../../stack/x-client.ts';

/** Cell of the bitmap font `fixed`, pixels. */
const CELL_WIDTH = 6;
const CELL_HEIGHT = 13;
const FONT_ASCENT = 11;

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const BYTES_PER_PIXEL = 4;

/** Which pixels are inked: rows of booleans. */
type Ink = readonly (readonly boolean[])[];

/**
 * Whether a picture has a text, pixel for pixel as the X server itself draws it in its font `fixed`.
 * @param text ASCII
 */
export async function showsText(server: XServerAddress, screenshot: Buffer, text: string): Promise<boolean> {
  const wanted = await drawnByServer(server, text);
  const found = inkOf(PNG.sync.read(screenshot));
  const lastRow = found.length - CELL_HEIGHT;
  const lastColumn = (found[0]?.length ?? 0) - text.length * CELL_WIDTH;
  for (let y = 0; y <= lastRow; y += 1) {
    for (let x = 0; x <= lastColumn; x += 1) {
      if (matchesAt(found, wanted, x, y)) return true;
    }
  }
  return false;
}

function matchesAt(found: Ink, wanted: Ink, x: number, y: number): boolean {
  return wanted.every((row, dy) => row.every((inked, dx) => found[y + dy]?.[x + dx] === inked));
}

/** The most frequent colour is the background; everything else is ink. */
function inkOf({ width, height, data }: PNG): Ink {
  const pixel = (x: number, y: number): number => data.readUInt32BE((y * width + x) * BYTES_PER_PIXEL);
  const counts = new Map<number, number>();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) counts.set(pixel(x, y), (counts.get(pixel(x, y)) ?? 0) + 1);
  }
  const background = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  return Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_column, x) => pixel(x, y) !== background),
  );
}

async function drawnByServer(server: XServerAddress, text: string): Promise<Ink> {
  const { client, screen } = await connectX(server);
  try {
    const [root] = screen;
    if (root === undefined) throw new Error('the X server has no screen');
    const width = text.length * CELL_WIDTH;
    const [pixmap, font, gc] = [client.AllocID(), client.AllocID(), client.AllocID()];
    client.CreatePixmap(pixmap, root.root, root.root_depth, width, CELL_HEIGHT);
    client.OpenFont(font, 'fixed');
    client.CreateGC(gc, pixmap, { foreground: root.black_pixel, background: root.white_pixel, font });
    client.ImageText8(pixmap, gc, 0, FONT_ASCENT, text);
    const { data } = await answer<{ data: Buffer }>('how it draws the text', (reply) =>
      client.GetImage(Z_PIXMAP, pixmap, 0, 0, width, CELL_HEIGHT, ALL_PLANES, reply),
    );
    const colour = (x: number, y: number): number => data.readUInt32LE((y * width + x) * BYTES_PER_PIXEL) & 0xffffff;
    return Array.from({ length: CELL_HEIGHT }, (_row, y) =>
      Array.from({ length: width }, (_column, x) => colour(x, y) === (root.black_pixel & 0xffffff)),
    );
  } finally {
    client.terminate();
  }
}
