import { isUnitName } from '../host/systemd/unit-name.ts';
import type { UnitQuestion } from '../units/unit-states.ts';

/** Names of units in one request, `unit` and `userUnit` together. @spec agent#limits */
const UNIT_NAMES_MAX = 64;

/** Characters of a refused name that an answer repeats. */
const ECHO_MAX_CHARACTERS = 64;

/** A request's questions about services, or why it is refused; `refusal` is the answer's body. */
export type UnitQuery =
  | { ok: true; questions: readonly UnitQuestion[] }
  | { ok: false; refusal: { error: string; unit?: string; limit?: number } };

/** @spec agent#endpoints `unit` and `userUnit` of `/v1/report` */
export function parseUnitQuery(query: string): UnitQuery {
  const questions: UnitQuestion[] = [];
  if (query === '') return { ok: true, questions };
  for (const [key, value] of new URLSearchParams(query)) {
    if (key !== 'unit' && key !== 'userUnit') continue;
    if (questions.length === UNIT_NAMES_MAX) {
      return { ok: false, refusal: { error: 'too many unit names', limit: UNIT_NAMES_MAX } };
    }
    if (!isUnitName(value)) {
      return { ok: false, refusal: { error: 'invalid unit name', unit: value.slice(0, ECHO_MAX_CHARACTERS) } };
    }
    questions.push({ name: value, manager: key === 'unit' ? 'system' : 'user' });
  }
  return { ok: true, questions };
}
