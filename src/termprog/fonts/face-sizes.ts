/** Cell area of the font `fixed` in square pixels, the base of the next table. */
const FIXED_AREA = 78;

/** Cell areas of the slots' default fonts in the reference terminal, for slots whose bitmap font the server lacks. */
const DEFAULT_AREAS = [FIXED_AREA, 2, 35, 60, 90, 135, 200, 240] as const;

/**
 * Returns the point sizes of all slots by number. A size that is not configured has the ratio to slot 0 that the bitmap
 * fonts have in width and height, so that a slot looks alike under both renderers.
 * @param configured in points; 0 if the size is to be derived
 * @param areas of the bitmap fonts' cells, in square pixels; undefined if there is no font
 */
export function faceSizes(configured: readonly number[], areas: readonly (number | undefined)[]): number[] {
  const [first = 0] = configured;
  const firstArea = areas[0];
  return configured.map((points, slot) => {
    if (points > 0) return points;
    const area = areas[slot];
    // Equal areas mean that the server has one font for different names; the reference terminal handles this case in
    // the same way.
    if (area !== undefined && firstArea !== undefined && area !== firstArea) return first * Math.sqrt(area / firstArea);
    return (first * (DEFAULT_AREAS[slot] ?? FIXED_AREA)) / FIXED_AREA;
  });
}

/** Whether a size must be derived, so that the areas of the bitmap fonts are needed. */
export function needsAreas(configured: readonly number[]): boolean {
  return configured.some((points) => points <= 0);
}
