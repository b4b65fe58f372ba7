/** Area of the cell of the font `fixed`, to which the next table relates; in square pixels. */
const FIXED_AREA = 78;

/**
 * Areas of the cells of the slots' default fonts, as the reference terminal has them; for slots whose bitmap font the
 * server lacks.
 */
const DEFAULT_AREAS = [FIXED_AREA, 2, 35, 60, 90, 135, 200, 240] as const;

/**
 * Point sizes of all slots, by their numbers. A size that is not configured has the same ratio to the size of slot 0 as
 * the bitmap fonts have in width and height, so that a slot looks alike under both renderers.
 * @param configured in points; 0 where the size is to be derived
 * @param areas of the bitmap fonts' cells, in square pixels; undefined where there is no font
 */
export function faceSizes(configured: readonly number[], areas: readonly (number | undefined)[]): number[] {
  const [first = 0] = configured;
  const firstArea = areas[0];
  return configured.map((points, slot) => {
    if (points > 0) return points;
    const area = areas[slot];
    // Equal areas say that the server gives the same font for different names, as the reference terminal has it.
    if (area !== undefined && firstArea !== undefined && area !== firstArea) return first * Math.sqrt(area / firstArea);
    return (first * (DEFAULT_AREAS[slot] ?? FIXED_AREA)) / FIXED_AREA;
  });
}

/** Whether some size must be derived, so that the areas of the bitmap fonts are needed. */
export function needsAreas(configured: readonly number[]): boolean {
  return configured.some((points) => points <= 0);
}
