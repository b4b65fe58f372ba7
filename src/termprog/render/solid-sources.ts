import type { Client } from 'x11';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { RenderRequests } from './render-requests.ts';
import { ReusedIds } from './reused-ids.ts';

/** Most colours in the server; a page of text has fewer. */
const COLORS_MAX = 512;

/** Solid colour sources in the server, by pixel value. */
export class SolidSources {
  readonly #requests: RenderRequests;
  readonly #colorOf: (pixel: number) => number;
  readonly #ids = new Map<number, number>();
  readonly #numbers: ReusedIds;

  constructor(client: Client, requests: RenderRequests, visual: WindowVisual) {
    this.#numbers = new ReusedIds(client);
    this.#requests = requests;
    this.#colorOf = pixelReader(visual);
  }

  /** Returns the picture of a pixel value. It is valid for the next requests, not for later frames. */
  of(pixel: number): number {
    const known = this.#ids.get(pixel);
    if (known !== undefined) return known;
    if (this.#ids.size >= COLORS_MAX) this.clear();
    const id = this.#numbers.take();
    this.#requests.createSolidFill(id, this.#colorOf(pixel));
    this.#ids.set(pixel, id);
    return id;
  }

  clear(): void {
    for (const id of this.#ids.values()) {
      this.#requests.freePicture(id);
      this.#numbers.giveBack(id);
    }
    this.#ids.clear();
  }
}

/** Returns the function from opaque pixel values of a visual to colours as 0xrrggbb. */
export function pixelReader({ redMask, greenMask, blueMask }: WindowVisual): (pixel: number) => number {
  if (redMask === 0xff0000 && greenMask === 0xff00 && blueMask === 0xff) return (pixel) => pixel & 0xff_ffff;
  const [red, green, blue] = [redMask, greenMask, blueMask].map(levelIn) as [Level, Level, Level];
  return (pixel) => (red(pixel) << 16) | (green(pixel) << 8) | blue(pixel);
}

type Level = (pixel: number) => number;

function levelIn(mask: number): Level {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / most);
}
