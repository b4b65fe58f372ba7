import { PAUSE, type Step } from './binding.ts';
import { type BoundEvent, buttonBit, type EventPattern } from './event-pattern.ts';
import type { Count } from './parse-event.ts';

/** Press → release. */
const RELEASES: Readonly<Partial<Record<BoundEvent, BoundEvent>>> = {
  KeyPress: 'KeyRelease',
  ButtonPress: 'ButtonRelease',
};
const PRESSES: Readonly<Partial<Record<BoundEvent, BoundEvent>>> = {
  KeyRelease: 'KeyPress',
  ButtonRelease: 'ButtonPress',
};

/**
 * Returns the steps of an event with a count, as the toolkit creates them: presses have their releases and pauses
 * between them.
 * @returns `repeatsFrom` is the step to which an open count leads back
 */
export function repeatEvent(
  pattern: EventPattern,
  { times, isOpen }: Count,
): { steps: Step[]; repeatsFrom: number | undefined } {
  if (times === 1 && !isOpen) return { steps: [pattern], repeatsFrom: undefined };
  const release = RELEASES[pattern.event];
  const press = PRESSES[pattern.event];
  if (release !== undefined) {
    const up: EventPattern = { ...pattern, event: release };
    const steps = Array.from({ length: times }, (): Step[] => [pattern, up, PAUSE]).flat();
    // A closed count ends with the last press; in an open one, release and pause lead back to that press.
    return isOpen ? { steps, repeatsFrom: steps.length - 3 } : { steps: steps.slice(0, -2), repeatsFrom: undefined };
  }
  if (press !== undefined) {
    const down = pressOf(pattern, press);
    const steps = [down, ...Array.from({ length: times }, (): Step[] => [pattern, PAUSE, down]).flat()];
    return isOpen ? { steps, repeatsFrom: steps.length - 3 } : { steps: steps.slice(0, -2), repeatsFrom: undefined };
  }
  const steps = Array.from({ length: times }, () => pattern);
  return { steps, repeatsFrom: isOpen ? times - 1 : undefined };
}

/** Returns the press before a release: its button is not held yet. */
function pressOf(pattern: EventPattern, event: BoundEvent): EventPattern {
  const own = typeof pattern.detail === 'number' && event === 'ButtonPress' ? buttonBit(pattern.detail) : 0;
  return { ...pattern, event, held: pattern.held & ~own };
}
