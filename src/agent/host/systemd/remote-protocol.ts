import type { TimerState, UnitAnswer, UnitState } from './systemd-answers.ts';
import { isUnitName } from './unit-name.ts';

// One line of JSON each way, then the connection ends. It is checked by hand: the agent starts in half the time without
// Zod.

/** Most names in one question. @spec agent#limits */
const UNIT_NAMES_MAX = 64;

/** Longest question: names of at most 255 bytes each, and little around them. */
export const QUESTION_MAX_CHARACTERS = 32 * 1024;

/** Longest answer: some hundred characters a unit. */
export const ANSWER_MAX_CHARACTERS = 256 * 1024;

/** Deadline from question to answer; longer than the manager itself may take. */
export const EXCHANGE_DEADLINE_MS = 6_000;

/** Longest text of an answer: a word, a path or a sentence. */
const TEXT_MAX_CHARACTERS = 1024;

export type RemoteAnswer = { units: UnitAnswer[] } | { error: string };

export function encodeLine(value: { units: readonly string[] } | RemoteAnswer): string {
  return `${JSON.stringify(value)}\n`;
}

/** Names of units that may be asked about. @throws Error when it is not a question */
export function decodeQuestion(line: string): string[] {
  const names = membersOf(JSON.parse(line)).units;
  if (!Array.isArray(names) || names.length > UNIT_NAMES_MAX) throw new Error('not a list of units');
  return names.map((name: unknown) => {
    if (typeof name !== 'string' || !isUnitName(name)) throw new Error('not the name of a unit');
    return name;
  });
}

/** @throws Error when it is not an answer */
export function decodeAnswer(line: string): RemoteAnswer {
  const { units, error } = membersOf(JSON.parse(line));
  if (error !== undefined) return { error: text(error) };
  if (!Array.isArray(units)) throw new Error('neither units nor an error');
  return { units: units.map(rowOf) };
}

/** A row that can't be understood is a problem of this unit alone. */
function rowOf(unit: unknown): UnitAnswer {
  try {
    return unitAnswer(membersOf(unit));
  } catch {
    // The exact fault would only help the author of the other program.
    return { problem: 'could not understand the answer' };
  }
}

function unitAnswer(unit: Record<string, unknown>): UnitAnswer {
  if (unit.problem !== undefined) return { problem: text(unit.problem) };
  const { load, active, sub, result } = unit;
  const state: UnitState = { load: text(load), active: text(active), sub: text(sub), result: text(result) };
  return unit.service === undefined ? state : { ...state, ...timerState(unit) };
}

function timerState({ service, running, exitStatus, lastRun, nextRun }: Record<string, unknown>): TimerState {
  return {
    service: text(service),
    running: running === true,
    exitStatus: whole(exitStatus),
    lastRun: instant(lastRun),
    nextRun: instant(nextRun),
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('not an object');
  return { ...value };
}

/** A user's own program may answer anything: control characters must not reach terminals and logs. */
function text(value: unknown): string {
  if (typeof value !== 'string' || value.length > TEXT_MAX_CHARACTERS) throw new Error('not a short text');
  return value.replaceAll(/\p{Cc}/gu, '\ufffd');
}

function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Error('not a whole number');
  return value;
}

/** Unix seconds. */
function instant(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Error('not a time');
  return value;
}
