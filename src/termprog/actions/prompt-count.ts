/** Parses the only parameter, a whole number from 1 on; 1 by default. Undefined for other parameters. */
export function promptCount(parameters: readonly string[]): number | undefined {
  const [count = '1', ...others] = parameters;
  return others.length === 0 && /^0*[1-9]\d{0,8}$/.test(count) ? Number(count) : undefined;
}
