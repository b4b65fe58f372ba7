import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import x11, { type Display } from 'x11';

/** How long the X server may take for one answer. */
const ANSWER_DEADLINE_MS = 5_000;

/** Pixmap format that carries whole pixels, and a mask of all planes. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Which X server: what `startXvfb` gives as `environment`. */
export interface XServerAddress {
  DISPLAY: string;
  XAUTHORITY?: string;
}

/**
 * PNG file content of one window, without its border.
 * @param window its id, or its title (WM_NAME)
 * @throws Error when no window has the title, or the server does not answer
 */
export async function screenshotWindow(server: XServerAddress, window: number | string): Promise<Buffer> {
  const display = await connect(server);
  try {
    const id = typeof window === 'number' ? window : await windowByTitle(display, window);
    const { width, height } = await answer<{ width: number; height: number }>('the size of the window', (reply) =>
      display.client.GetGeometry(id, reply),
    );
    const image = await answer<{ data: Buffer }>('the picture of the window', (reply) =>
      display.client.GetImage(Z_PIXMAP, id, 0, 0, width, height, ALL_PLANES, reply),
    );
    return PNG.sync.write(toPng(image.data, width, height));
  } finally {
    display.client.terminate();
  }
}

/** The windows that have a title, as id and title, topmost last. */
export async function listTitledWindows(server: XServerAddress): Promise<{ id: number; title: string }[]> {
  const display = await connect(server);
  try {
    return await titledWindows(display);
  } finally {
    display.client.terminate();
  }
}

function connect({ DISPLAY, XAUTHORITY }: XServerAddress): Promise<Display> {
  const auth = XAUTHORITY === undefined ? undefined : firstCookie(readFileSync(XAUTHORITY));
  return new Promise((resolve, reject) => {
    const client = x11.createClient({ display: DISPLAY, shm: false, ...(auth && { auth }) }, (error, display) =>
      error === undefined ? resolve(display) : reject(error),
    );
    client.on('error', reject);
  });
}

/** Name and data of the first entry of an authority file; Xau(3). */
function firstCookie(file: Buffer): { name: string; data: string } {
  const fields: string[] = [];
  let offset = 2;
  while (fields.length < 4) {
    const length = file.readUInt16BE(offset);
    fields.push(file.toString('latin1', offset + 2, offset + 2 + length));
    offset += 2 + length;
  }
  return { name: fields[2] ?? '', data: fields[3] ?? '' };
}

async function windowByTitle(display: Display, title: string): Promise<number> {
  const windows = await titledWindows(display);
  const found = windows.findLast((window) => window.title === title);
  if (found !== undefined) return found.id;
  const titles = windows.map((window) => JSON.stringify(window.title)).join(', ');
  throw new Error(`no window has the title ${JSON.stringify(title)}; there are: ${titles || 'none'}`);
}

async function titledWindows({ client, screen }: Display): Promise<{ id: number; title: string }[]> {
  const found: { id: number; title: string }[] = [];
  const open = screen.map(({ root }) => root);
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    const window = id;
    const { children } = await answer<{ children: number[] }>('the tree of windows', (reply) =>
      client.QueryTree(window, reply),
    );
    open.push(...children);
    const title = await answer<{ data: Buffer }>('the title of a window', (reply) =>
      client.GetProperty(0, window, client.atoms['WM_NAME'] ?? 0, 0, 0, 256, reply),
    );
    if (title.data.length > 0) found.push({ id: window, title: title.data.toString('utf8') });
  }
  return found;
}

/** One request with a reply, within the deadline. */
function answer<T>(what: string, request: (reply: (error: Error | null, value: T) => true) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the X server did not tell ${what} within ${ANSWER_DEADLINE_MS} ms`)),
      ANSWER_DEADLINE_MS,
    );
    request((error, value) => {
      clearTimeout(timer);
      if (error === null) resolve(value);
      else reject(new Error(`the X server refused to tell ${what}: ${error.message}`));
      return true;
    });
  });
}

/** 32-bit little-endian pixels of a TrueColor screen to RGBA. */
function toPng(pixels: Buffer, width: number, height: number): PNG {
  const png = new PNG({ width, height });
  for (let offset = 0; offset < width * height * 4; offset += 4) {
    png.data[offset] = pixels[offset + 2] ?? 0;
    png.data[offset + 1] = pixels[offset + 1] ?? 0;
    png.data[offset + 2] = pixels[offset] ?? 0;
    png.data[offset + 3] = 255;
  }
  return png;
}
