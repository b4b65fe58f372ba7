/**
 * The number in `FUZZ_SEED`, which chooses other input of the fuzz tests and another slice of the long ones; undefined
 * without it.
 * @throws Error if it is anything else than a natural number below 2^31: then it would choose nothing at all
 */
export function chosenSeed(): number | undefined {
  const seed = process.env['FUZZ_SEED'];
  if (seed === undefined) return undefined;
  const number = Number(seed);
  if (!/^\d+$/.test(seed) || number >= 2 ** 31)
    throw new Error(`FUZZ_SEED: expected a natural number below ${2 ** 31}, received ${JSON.stringify(seed)}`);
  return number;
}
