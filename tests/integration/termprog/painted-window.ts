import { readFileSync } from 'node:fs';
import type { WireEvent } from 'x11';
import { createDiagnostics } from '../../../src/termprog/diagnostics.ts';
import {
  type CellLine,
  CLUSTER,
  CONTINUATION,
  type Extra,
  WIDE,
  WORDS_PER_CELL,
} from '../../../src/termprog/engine/cell.ts';
import type { Damage, Scroll } from '../../../src/termprog/engine/damage.ts';
import {
  type FontSet,
  NO_STYLES,
  openBoldFont,
  openFirstFont,
  openWiderFonts,
} from '../../../src/termprog/fonts/font-set.ts';
import { bitmapSlotFonts, type OutlineSlotFonts } from '../../../src/termprog/fonts/slot-fonts.ts';
import { Graphics } from '../../../src/termprog/render/graphics.ts';
import { Painter, type ShownCursor } from '../../../src/termprog/render/painter.ts';
import type { TextColors } from '../../../src/termprog/render/palette.ts';
import { connectToDisplay } from '../../../src/termprog/x11/open-display.ts';
import { openRenderExtension } from '../../../src/termprog/x11/render-extension.ts';
import { rootVisual } from '../../../src/termprog/x11/window-visual.ts';
import type { XConnection } from '../../../src/termprog/x11/x-connection.ts';
import type { XDesktop } from '../../harness/start-termprog.ts';

export const BORDER = 2;
const Z_PIXMAP = 2;
const EXPOSURE_MASK = 1 << 15;

export const rgb = (number: number) => ({ red: number >> 16, green: (number >> 8) & 0xff, blue: number & 0xff });

export const COLORS: TextColors = {
  foreground: rgb(0x000000),
  background: rgb(0xffffff),
  ansi: Array.from({ length: 16 }, (_, index) => rgb(0x100c08 * index + 0x050000)),
};

/** Look of the cells of a text, in the words of cells. */
export interface Look {
  foreground?: number;
  background?: number;
  extra?: number;
}

/** Lines made by hand, and the clusters they name. */
export class Page {
  readonly columns: number;
  readonly lines: Uint32Array[];
  readonly clusters: string[] = [];
  readonly extras: Extra[] = [{ underlineColor: 0, link: undefined }];

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.lines = Array.from({ length: rows }, () => new Uint32Array(columns * WORDS_PER_CELL));
  }

  /** Characters of several code points are clusters; those above U+3000 take two cells. */
  write(row: number, column: number, text: string, look: Look = {}): void {
    let at = column;
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      const first = segment.codePointAt(0) ?? 0;
      const isWide = first > 0x3000;
      const isCluster = segment.length > String.fromCodePoint(first).length;
      if (isCluster) this.clusters.push(segment);
      const content = isCluster ? CLUSTER | (this.clusters.length - 1) : first;
      this.set(row, at, isWide ? content | WIDE : content, look);
      if (isWide) this.set(row, at + 1, CONTINUATION, look);
      at += isWide ? 2 : 1;
    }
  }

  set(row: number, column: number, content: number, { foreground = 0, background = 0, extra = 0 }: Look = {}): void {
    if (column >= this.columns) return;
    this.lines[row]?.set([content, foreground, background, extra], column * WORDS_PER_CELL);
  }

  /** Half of a wide character becomes a blank, as in the engine. */
  blankHalves(row: number): void {
    const words = this.lines[row] ?? new Uint32Array(0);
    const has = (column: number, flag: number): boolean => ((words[column * WORDS_PER_CELL] ?? 0) & flag) !== 0;
    for (let column = 0; column < this.columns; column += 1) {
      const isHalf = has(column, WIDE)
        ? !has(column + 1, CONTINUATION)
        : has(column, CONTINUATION) && !has(column - 1, WIDE);
      if (isHalf) words[column * WORDS_PER_CELL] = 0;
    }
  }

  scroll({ top, bottom, lines }: Scroll): void {
    for (let count = Math.abs(lines); count > 0; count -= 1) {
      const [from, to] = lines > 0 ? [top, bottom] : [bottom, top];
      this.lines.splice(from, 1);
      this.lines.splice(to, 0, new Uint32Array(this.columns * WORDS_PER_CELL));
    }
  }

  line(row: number): CellLine | undefined {
    const words = this.lines[row];
    return words && { id: row, words, isWrapped: false };
  }

  clusterText(number: number): string {
    return this.clusters[number] ?? '';
  }

  extra(number: number): Extra {
    return this.extras[number] ?? { underlineColor: 0, link: undefined };
  }
}

/** A window with a painter of its own, whose pixels can be read. */
export interface PaintedWindow extends AsyncDisposable {
  readonly connection: XConnection;
  readonly window: number;
  readonly painter: Painter;
  readonly errors: string[];
  /** Bytes and requests of the last frame, and whether it was all of it. */
  readonly sent: { bytes: number; requests: number; isComplete: boolean };
  /** Paints, and waits until the server is done and has reported what it lost. */
  show(page: Page, damage?: Partial<Damage> | 'everything', cursor?: ShownCursor): Promise<void>;
  /** Pixels as 0xrrggbb, row by row. */
  pixels(): Promise<Uint32Array>;
  pixelAt(x: number, y: number): Promise<number>;
}

export async function openPaintedWindow(
  desktop: XDesktop,
  size: { columns: number; rows: number; x?: number },
  {
    font = 'fixed',
    change = (fonts) => fonts,
    outline,
    forcesProcedural = false,
  }: {
    font?: string;
    change?: (fonts: FontSet) => FontSet;
    outline?: Omit<OutlineSlotFonts, 'render'>;
    forcesProcedural?: boolean;
  } = {},
): Promise<PaintedWindow> {
  const connection = await connectToDisplay({
    displayName: desktop.environment.DISPLAY,
    hostName: 'tests',
    authorityFile: readFileSync(desktop.environment.XAUTHORITY),
  });
  const errors: string[] = [];
  const held: { painter?: Painter } = {};
  connection.listen({
    onEvent: (event: WireEvent) => {
      if (event.name === 'Expose' || event.name === 'GraphicsExposure') held.painter?.forget(event);
    },
    onError: (message) => errors.push(message),
    onEnd: () => undefined,
  });
  const diagnostics = createDiagnostics('error', (line) => errors.push(line));
  const first = await openFirstFont(connection, font, diagnostics);
  const bold = await openBoldFont(connection, first, NO_STYLES, diagnostics);
  const wider = await openWiderFonts(connection, { normal: first, bold }, NO_STYLES, diagnostics);
  const render = await openRenderExtension(connection);
  const isOutline = outline !== undefined && 'majorOpcode' in render;
  const fonts = isOutline ? { ...outline, render } : bitmapSlotFonts(change({ normal: first, bold, ...wider }));
  const { client, screen } = connection;
  const window = client.AllocID();
  const width = size.columns * fonts.cell.width + 2 * BORDER;
  const height = size.rows * fonts.cell.height + 2 * BORDER;
  client.CreateWindow(window, screen.root, size.x ?? 0, 0, width, height, 0, 0, 0, 0, {
    backgroundPixel: 0xffffff,
    eventMask: EXPOSURE_MASK,
    overrideRedirect: 1,
  });
  client.MapWindow(window);
  const painter = new Painter({
    graphics: new Graphics(connection, window),
    fonts,
    forcesProcedural,
    visual: rootVisual(screen),
    colors: COLORS,
    boldIsBright: true,
    internalBorder: BORDER,
  });
  held.painter = painter;
  painter.resize(size.columns, size.rows);
  const sent = { bytes: 0, requests: 0, isComplete: true };
  const send = connection.sendRequests.bind(connection);
  connection.sendRequests = (bytes, count) => {
    sent.bytes += bytes.length;
    sent.requests += count;
    send(bytes, count);
  };
  const fence = (): Promise<void> => new Promise((resolve) => connection.fence(resolve));
  await fence();
  const pixels = async (): Promise<Uint32Array> => {
    const { data } = await connection.ask<{ data: Buffer }>('the picture', (x, reply) =>
      x.GetImage(Z_PIXMAP, window, 0, 0, width, height, 0xffff_ffff, reply),
    );
    return Uint32Array.from({ length: width * height }, (_, pixel) => data.readUInt32LE(pixel * 4) & 0xff_ffff);
  };
  return {
    connection,
    window,
    painter,
    errors,
    sent,
    show: async (page, damage = {}, cursor = undefined) => {
      Object.assign(sent, { bytes: 0, requests: 0 });
      const rows = new Uint8Array(size.rows).fill(1);
      sent.isComplete = painter.paint({
        source: page,
        damage: { scrolls: [], rows, isRenumbered: false, ...(damage !== 'everything' && damage) },
        isEverything: damage === 'everything',
        cursor,
      });
      await fence();
    },
    pixels,
    pixelAt: async (x, y) => (await pixels())[y * width + x] ?? -1,
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
