import { PNG } from 'pngjs';
import type { Display } from 'x11';
import { answer, connectX, type XServerAddress } from './x-client.ts';

/** Pixmap format that carries whole pixels, and a mask of all planes. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** A window that is mapped, as all its ancestors are. */
const VIEWABLE = 2;

/** Bytes of a number in a property of 32 bits. */
const PID_BYTES = 4;

/**
 * PNG file content of one window, without its border.
 * @param window its id, or its title (WM_NAME)
 * @throws Error when no window has the title, or the server does not answer
 */
export async function screenshotWindow(server: XServerAddress, window: number | string): Promise<Buffer> {
  const display = await connectX(server);
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

/** A window that is shown and has a title. */
export interface TitledWindow {
  id: number;
  title: string;
  /** Process that the window says it belongs to (`_NET_WM_PID`). */
  pid: number | undefined;
}

/** The windows that are shown and have a title, topmost last. */
export async function listTitledWindows(server: XServerAddress): Promise<TitledWindow[]> {
  const display = await connectX(server);
  try {
    return await titledWindows(display);
  } finally {
    display.client.terminate();
  }
}

/** The windows that are shown, but for those in others, topmost last; menus have no title. */
export async function listShownWindows(server: XServerAddress): Promise<number[]> {
  const display = await connectX(server);
  const { client, screen } = display;
  try {
    const shown: number[] = [];
    for (const { root } of screen) {
      const { children } = await answer<{ children: number[] }>('the tree of windows', (reply) =>
        client.QueryTree(root, reply),
      );
      for (const window of children) if (await isShown(display, window)) shown.push(window);
    }
    return shown;
  } finally {
    display.client.terminate();
  }
}

/** A window that was destroyed meanwhile is not shown. */
async function isShown({ client }: Display, window: number): Promise<boolean> {
  const state = await answer<{ mapState: number }>('the state of a window', (reply) =>
    client.GetWindowAttributes(window, reply),
  ).catch(() => undefined);
  return state?.mapState === VIEWABLE;
}

async function windowByTitle(display: Display, title: string): Promise<number> {
  const windows = await titledWindows(display);
  const found = windows.findLast((window) => window.title === title);
  if (found !== undefined) return found.id;
  const titles = windows.map((window) => JSON.stringify(window.title)).join(', ');
  throw new Error(`no window that is shown has the title ${JSON.stringify(title)}; there are: ${titles || 'none'}`);
}

async function titledWindows({ client, screen }: Display): Promise<TitledWindow[]> {
  const found: TitledWindow[] = [];
  // The library keeps the numbers of names for all servers, and each server has its own.
  delete client.atoms['_NET_WM_PID'];
  const pidAtom = await answer<number>('the atom _NET_WM_PID', (reply) =>
    client.InternAtom(false, '_NET_WM_PID', reply),
  );
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
    if (title.data.length === 0) continue;
    const { mapState } = await answer<{ mapState: number }>('the state of a window', (reply) =>
      client.GetWindowAttributes(window, reply),
    );
    if (mapState !== VIEWABLE) continue;
    const { data: pid } = await answer<{ data: Buffer }>('the process of a window', (reply) =>
      client.GetProperty(0, window, pidAtom, 0, 0, 1, reply),
    );
    found.push({
      ...{ id: window, title: title.data.toString('utf8') },
      pid: pid.length < PID_BYTES ? undefined : pid.readUInt32LE(0),
    });
  }
  return found;
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
