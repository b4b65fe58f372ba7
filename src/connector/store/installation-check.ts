import type { Seal } from '../ports/seal.ts';

/** Text that the keys must open. */
const CHECK = 'homeport-connector';
/** Most keys that were each replaced before everything was encrypted again; more of them are not distinguished. */
const LAYERS_MAX = 16;

/** Creates the check of a new database: only its keys open it. */
export const newCheck = (seal: Seal, place: string): string => seal.close(CHECK, place);

/**
 * Whether the keys open all that the database may have encrypted. While it has texts of several keys, their checks
 * enclose each other, so that opening it needs all of them.
 */
export const isCheckOpened = (seal: Seal, sealed: string, place: string): boolean =>
  layersOf(seal, sealed, place) !== undefined;

/** Returns the number of texts around the innermost one; undefined if the keys do not open all of them. */
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
 * Returns the check to store at the first start with new keys, before the newest one encrypts a text; undefined if it
 * is stored already.
 */
export function checkWithNewest(seal: Seal, sealed: string, place: string): string | undefined {
  const renewed = seal.renew(sealed, place);
  if (renewed === undefined) return undefined;
  return layersOf(seal, sealed, place) === LAYERS_MAX ? renewed : seal.close(sealed, place);
}

/**
 * Returns the check to store once all texts are encrypted with the newest key; undefined if it is stored already.
 * @throws Error if the keys do not open it
 */
export function checkOfNewestAlone(seal: Seal, sealed: string, place: string): string | undefined {
  const isNewest = seal.renew(sealed, place) === undefined;
  if (isNewest && seal.open(sealed, place) === CHECK) return undefined;
  if (!isCheckOpened(seal, sealed, place)) throw new Error('one of the keys is missing');
  return newCheck(seal, place);
}
