/** Digits of 2^64, up to which the kernel counts. */
const DIGITS_MAX = 20;

/** Numbers of digits alone; undefined where one is longer than any of the kernel's and might not be finite. */
export function countsOf(digits: readonly string[]): number[] | undefined {
  return digits.every(({ length }) => length <= DIGITS_MAX) ? digits.map(Number) : undefined;
}
