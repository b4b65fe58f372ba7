import { setTimeout as delay } from 'node:timers/promises';
import type { Area, Desktop } from './desktop.ts';
import { startTerminal, type TerminalName } from './terminals.ts';

/** Fonts that scenes are drawn with, and a terminal of 80 columns and 24 rows with its padding in each of them. */
const looks: Readonly<Record<'bitmap' | 'outline', { args: readonly string[]; window: Area }>> = {
  bitmap: { args: [], window: { x: 0, y: 0, width: 484, height: 316 } },
  outline: { args: ['-fa', 'DejaVu Sans Mono', '-fs', '11'], window: { x: 0, y: 0, width: 724, height: 460 } },
};

/** A picture that stays the same for so long is finished; one that keeps changing is taken as it is at the deadline. */
const STEADY_MS = 600;
const DEADLINE_MS = 10_000;

/** Bytes of a pixel; its last carries nothing. */
const PIXEL_BYTES = 4;
const WHITE = 0xffffff;

const hideCursor = '\x1b[?25l';
const lines = (...all: string[]): string => all.join('\r\n');

/** With an 8-bit alias of the font, xterm lacks many characters; with this name it has all of Unicode. */
const unicodeFont = '-misc-fixed-medium-r-semicondensed--13-*-*-*-*-*-iso10646-1';
const inUnicodeFont = ['Cyrillic and Greek', 'CJK'];

/** What both terminals show. */
const scenes: Readonly<Record<string, string>> = {
  ASCII: `${hideCursor}${lines(...Array.from({ length: 20 }, (_, line) => String.fromCharCode(...Array.from({ length: 79 }, (_, column) => 33 + ((line * 7 + column) % 94)))))}`,
  'Latin-1': `${hideCursor}àéîõü ÄÖÜß ¿¡ ©®±µ¶·¸¹º»¼½¾ þÿ`,
  'Cyrillic and Greek': `${hideCursor}${lines('Съешь же ещё этих мягких французских булок', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία')}`,
  CJK: `${hideCursor}漢字 かな カナ \x1b[4m下線\x1b[m \x1b[7m反転\x1b[m \x1b[1m太字\x1b[m`,
  'bold, colours, lines': `${hideCursor}${lines(...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `\x1b[3${n}mfore\x1b[4${n}mboth\x1b[m \x1b[9${n}mbright\x1b[m \x1b[1;3${n}mbold\x1b[m \x1b[4munder\x1b[m \x1b[9mstruck\x1b[m \x1b[7mreverse\x1b[m`))}`,
  'line drawing': `${hideCursor}${lines('┌──┬──┐', '│  │  │', '├──┼──┤', '└──┴──┘', '\x1b(0lqwqk', 'x x x', 'mqvqj\x1b(B')}`,
  cursor: 'text\x1b[1;3H',
};

/** What only outline fonts have. */
const outlineScenes: Readonly<Record<string, string>> = {
  ...scenes,
  'bold and italic': `${hideCursor}\x1b[1mThe quick brown fox\x1b[m \x1b[3mjumps over\x1b[m \x1b[1;3mthe lazy dog\x1b[m`,
};

/** Scene -> share of the pixels inked in either picture that equal those of xterm. */
export async function measurePixels(desktop: Desktop): Promise<Record<string, number>> {
  const parts: [string, number][] = [];
  for (const [scene, text] of Object.entries(scenes)) {
    const args = inUnicodeFont.includes(scene) ? ['-fn', unicodeFont] : [];
    parts.push([scene, await compare(desktop, text, { ...looks.bitmap, args })]);
  }
  for (const [scene, text] of Object.entries(outlineScenes)) {
    parts.push([`${scene}, outline fonts`, await compare(desktop, text, looks.outline)]);
  }
  return Object.fromEntries(parts);
}

async function compare(
  desktop: Desktop,
  text: string,
  look: { args: readonly string[]; window: Area },
): Promise<number> {
  const script = `printf %s '${text.replaceAll("'", "'\\''")}'; sleep 600`;
  const reference = await picture(desktop, 'xterm', { script, ...look });
  return equalPart(reference, await picture(desktop, 'termprog', { script, ...look }));
}

async function picture(
  desktop: Desktop,
  name: TerminalName,
  { script, args, window }: { script: string; args: readonly string[]; window: Area },
): Promise<Buffer> {
  await using _terminal = startTerminal(name, script, desktop.environment, args);
  const start = performance.now();
  let [pixels, since] = [await desktop.look(window), start];
  // Before there is a window the screen is black.
  while (performance.now() - since < STEADY_MS || pixels[0] === 0) {
    await delay(50);
    const now = await desktop.look(window);
    if (!now.equals(pixels)) [pixels, since] = [now, performance.now()];
    if (performance.now() - start > DEADLINE_MS) break;
  }
  return pixels;
}

function equalPart(one: Buffer, other: Buffer): number {
  let [inked, equal] = [0, 0];
  for (let at = 0; at < one.length; at += PIXEL_BYTES) {
    const [left, right] = [one.readUIntLE(at, 3), other.readUIntLE(at, 3)];
    if (left === WHITE && right === WHITE) continue;
    inked += 1;
    if (left === right) equal += 1;
  }
  return equal / inked;
}
