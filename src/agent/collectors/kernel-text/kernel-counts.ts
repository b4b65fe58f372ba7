/** Digits of 2^64, up to which the kernel counts. */
const DIGITS_MAX = 20;

/**
 * Converts digits to numbers; undefined if one has more digits than any count of the kernel, and so might not be
 * finite.
 */
export function countsOf(digits: readonly string[]): number[] | undefined {
  return digits.every(({ length }) => length <= DIGITS_MAX) ? digits.map(Number) : undefined;
}
