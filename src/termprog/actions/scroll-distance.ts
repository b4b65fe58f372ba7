/**
 * Returns the number of lines of `count [unit] [m]`; a unit is a line, half a page or a page. Undefined for other
 * parameters.
 */
export function scrollDistance(parameters: readonly string[], rows: number): number | undefined {
  const [count = '1', unit = 'line'] = parameters.filter((parameter) => parameter !== 'm');
  const number = Number(count);
  const lines = { line: 1, halfpage: Math.max(1, Math.floor(rows / 2)), page: rows }[
    unit.toLowerCase().replace(/s$/, '')
  ];
  return Number.isSafeInteger(number) && number >= 0 && lines !== undefined ? number * lines : undefined;
}
