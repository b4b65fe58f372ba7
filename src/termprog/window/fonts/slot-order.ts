/**
 * Returns the next larger or next smaller slot by size; among slots of one size, the first. Undefined at the end, and
 * from a slot without a size. Slots of the present size are skipped, as in the reference terminal.
 * @param sizes by the slot's number; undefined for a slot that can't be used
 */
export function neighborOf(
  sizes: readonly (number | undefined)[],
  slot: number,
  direction: 'larger' | 'smaller',
): number | undefined {
  const sign = direction === 'larger' ? 1 : -1;
  const present = sizes[slot];
  if (present === undefined) return undefined;
  let nearest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [candidate, size] of sizes.entries()) {
    const distance = size === undefined ? 0 : sign * (size - present);
    if (distance <= 0 || distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}
