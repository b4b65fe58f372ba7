import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desktop } from './desktop.ts';
import { compareInk } from './pixels/compare-ink.ts';
import { differencePicture } from './pixels/difference-picture.ts';
import { startFedTerminal } from './pixels/fed-terminal.ts';
import { type Look, looks } from './pixels/looks.ts';

/** Upper edges of the windows; the height of each is less than the distance, so they do not overlap. */
const OWN_TOP = 0;
const REFERENCE_TOP = 512;

export interface PixelOptions {
  folder: string;
  /** Text in the names of the looks to compare; undefined for all looks. */
  looks: string | undefined;
  /** Folder that gets a picture of every scene that differs. */
  pictures: string | undefined;
}

/** "Look: scene" -> share of the pixels inked in either picture that equal those of xterm; 0 when the sizes differ. */
export async function measurePixels(
  desktop: Desktop,
  { folder, looks: wanted = '', pictures }: PixelOptions,
): Promise<Record<string, number>> {
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  const shares: Record<string, number> = {};
  for (const [name, look] of Object.entries(looks)) {
    if (!name.includes(wanted)) continue;
    setResolution(desktop, look.dpi);
    Object.assign(shares, await compareLook(desktop, name, look, { folder, pictures }));
  }
  return shares;
}

async function compareLook(
  desktop: Desktop,
  look: string,
  { args, scenes }: Look,
  { folder, pictures }: { folder: string; pictures: string | undefined },
): Promise<Record<string, number>> {
  await using own = await startFedTerminal(desktop, 'termprog', { folder, args, top: OWN_TOP });
  await using reference = await startFedTerminal(desktop, 'xterm', { folder, args, top: REFERENCE_TOP });
  const shares: Record<string, number> = {};
  for (const [name, scene] of Object.entries(scenes)) {
    // The terminals show the scene one after the other, because only one of them has the focus.
    const [ours, theirs] = [await own.show(scene), await reference.show(scene)];
    const { inked, equal } = compareInk(ours.pixels, theirs.pixels);
    const isSameSize = ours.width === theirs.width && ours.height === theirs.height;
    const title = `${look}: ${name}`;
    shares[title] = isSameSize ? equal / inked : 0;
    if (pictures === undefined || !isSameSize || inked === equal) continue;
    writeFileSync(join(pictures, `${title.replaceAll(/\W+/g, '-')}.png`), differencePicture(ours, theirs));
  }
  return shares;
}

/** Sets `Xft.dpi` in the screen's resources, or removes it. */
function setResolution({ environment }: Desktop, dpi: string | undefined): void {
  const env = { ...process.env, ...environment };
  const input = dpi === undefined ? '' : `Xft.dpi: ${dpi}\n`;
  execFileSync('xrdb', ['-nocpp', '-load'], { env, input });
}
