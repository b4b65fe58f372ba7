import type { Seal } from '../ports/seal.ts';

/** What the keys must open. */
const CHECK = 'homeport-connector';
/** Keys of which each was replaced before everything was encrypted anew, at most: more of them are not told apart. */
const LAYERS_MAX = 16;

/** What a new database keeps: only its keys open it. */
export const newCheck = (seal: Seal, place: string): string => seal.close(CHECK, place);

/**
 * Whether the keys open all that the database may have encrypted. While texts of several keys are in it, one encloses the
 * other, so that some of the keys are not taken for all of them.
 */
export const isCheckOpened = (seal: Seal, sealed: string, place: string): boolean =>
  layersOf(seal, sealed, place) !== undefined;

/** The number of texts around the innermost one; undefined where the keys do not open all of them. */
function layersOf(seal: Seal, sealed: string, place: string): number | undefined {
  let text = sealed;
  try {
    for (let layers = 0; layers <= LAYERS_MAX; layers += 1) {
      text = seal.open(text, place);
      if (text === CHECK) return layers;
    }
  } catch {
    // One of the keys is missing.
  }
  return undefined;
}

/**
 * What the database is to keep from the first start with new keys on, before anything is encrypted with the newest one;
 * undefined where it has that already.
 */
export function checkWithNewest(seal: Seal, sealed: string, place: string): string | undefined {
  const renewed = seal.renew(sealed, place);
  if (renewed === undefined) return undefined;
  return layersOf(seal, sealed, place) === LAYERS_MAX ? renewed : seal.close(sealed, place);
}

/**
 * What the database is to keep once everything is encrypted with the newest key; undefined where it has that already.
 * @throws Error where the keys do not open it
 */
export function checkOfNewestAlone(seal: Seal, sealed: string, place: string): string | undefined {
  const isNewest = seal.renew(sealed, place) === undefined;
  if (isNewest && seal.open(sealed, place) === CHECK) return undefined;
  if (!isCheckOpened(seal, sealed, place)) throw new Error('one of the keys is missing');
  return newCheck(seal, place);
}
