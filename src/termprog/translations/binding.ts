import type { EventPattern } from './event-pattern.ts';

export interface ActionCall {
  action: string;
  parameters: readonly string[];
}

/** Between two clicks of a count: the next event must come within the time of a multiple click. */
export const PAUSE = 'pause';

export type Step = EventPattern | typeof PAUSE;

/** One line of a translation table: its actions run at the last of the events, which come one after the other. */
export interface Binding {
  steps: readonly Step[];
  /** With a count such as `(2+)`: the step that the last one leads back to. The actions run there. */
  repeatsFrom: number | undefined;
  /** None: the events are taken, and nothing happens. */
  calls: readonly ActionCall[];
}
