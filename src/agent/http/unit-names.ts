/** Names of units in one request, `unit` and `userUnit` together. @spec agent#limits */
const UNIT_NAMES_MAX = 64;

/** How much of a refused name an answer repeats. */
const ECHO_MAX_CHARACTERS = 64;

/**
 * Names that can be loaded: of a known type, and no template, which ends in `@` before the type.
 * @see systemd.unit(5)
 */
const UNIT_NAME =
  /^(?=.{1,255}$)(?!@)[0-9A-Za-z:_.\\@-]+(?<!@)\.(service|socket|device|mount|automount|swap|timer|path|slice|scope|target)$/;

/** What a request asks about services, or why it is refused; the object is the answer's body. */
export type UnitQuery =
  | { ok: true; count: number }
  | { ok: false; refusal: { error: string; unit?: string; limit?: number } };

/** @spec agent#endpoints `unit` and `userUnit` of `/v1/report` */
export function parseUnitQuery(query: string): UnitQuery {
  if (query === '') return { ok: true, count: 0 };
  let count = 0;
  for (const [key, value] of new URLSearchParams(query)) {
    if (key !== 'unit' && key !== 'userUnit') continue;
    count += 1;
    if (count > UNIT_NAMES_MAX) return { ok: false, refusal: { error: 'too many unit names', limit: UNIT_NAMES_MAX } };
    if (!UNIT_NAME.test(value)) {
      return { ok: false, refusal: { error: 'invalid unit name', unit: value.slice(0, ECHO_MAX_CHARACTERS) } };
    }
  }
  return { ok: true, count };
}
