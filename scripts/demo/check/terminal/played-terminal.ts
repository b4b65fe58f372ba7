import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PNG } from 'pngjs';
import { screenshotWindow } from '../../../stack/screenshot.ts';
import { waitFor } from '../../../stack/wait-for.ts';
import type { XServerAddress } from '../../../stack/x-client.ts';
import { showsText } from '../find-text.ts';

/** Cell of the bitmap font `fixed` and padding of the window, pixels. */
const CELL = { width: 6, height: 13 } as const;
const PADDING = 2;

const INPUT_DEADLINE_MS = 10_000;
const TEXT_DEADLINE_MS = 15_000;

/** A terminal's window as its person has it: a screen to look at, a keyboard and a mouse. */
export class PlayedTerminal {
  readonly address: XServerAddress;
  readonly #window: () => number;
  /** Folder for screenshots and for files that shells write. */
  readonly #folder: string;
  #files = 0;

  constructor({ address, window, folder }: { address: XServerAddress; window: () => number; folder: string }) {
    this.address = address;
    this.#window = window;
    this.#folder = folder;
  }

  /** Runs xdotool(1). */
  async do(...words: readonly string[]): Promise<void> {
    await execa('xdotool', words, { env: { ...this.address }, timeout: INPUT_DEADLINE_MS });
  }

  /** Focuses the window and types into whichever part of it takes the keys, also its search. */
  async type(text: string): Promise<void> {
    await this.do('windowfocus', '--sync', String(this.#window()), 'type', '--delay', '5', text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    // The option --clearmodifiers is missing, because it would release a held button.
    await this.do('key', '--delay', '30', ...keys);
  }

  /** Puts the pointer into the middle of a cell, both numbers from 0. */
  async pointAt(row: number, column: number): Promise<void> {
    const x = PADDING + Math.round((column + 0.5) * CELL.width);
    const y = PADDING + Math.round((row + 0.5) * CELL.height);
    await this.do('mousemove', '--window', String(this.#window()), String(x), String(y));
  }

  picture(): Promise<Buffer> {
    return screenshotWindow(this.address, this.#window());
  }

  /** Waits for a text on the screen, and keeps the picture. */
  async shows(text: string, file: string): Promise<void> {
    await waitFor(
      `${text} stands on the screenshot`,
      async () => {
        const picture = await this.picture();
        await writeFile(join(this.#folder, file), picture);
        return showsText(this.address, picture, text);
      },
      { timeoutMs: TEXT_DEADLINE_MS },
    );
  }

  /** Share of dark pixels, from 0 to 1. */
  async darkness(): Promise<number> {
    const { data } = PNG.sync.read(await this.picture());
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) < 64) dark += 1;
    return (4 * dark) / data.length;
  }

  /** A file that is not there yet. */
  newFile(): string {
    this.#files += 1;
    return join(this.#folder, `played-${process.pid}-${this.#files}`);
  }

  /** Waits until a file contains exactly this text, which a program writes. */
  async wrote(file: string, text: string): Promise<void> {
    await waitFor(
      `${file} holds ${text}`,
      async () => (await readFile(file, 'utf8').catch(() => '')).trimEnd() === text,
      { timeoutMs: TEXT_DEADLINE_MS },
    );
  }
}
