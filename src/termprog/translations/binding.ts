import type { EventPattern } from './event-pattern.ts';

export interface ActionCall {
  action: string;
  parameters: readonly string[];
}

/** Step between two clicks of a count: the next event must come within the time of a multiple click. */
export const PAUSE = 'pause';

export type Step = EventPattern | typeof PAUSE;

/** One line of a translation table: its actions run at the last of its events, which must come in order. */
export interface Binding {
  steps: readonly Step[];
  /** With an open count such as `(2+)`: the step to which the last one leads back. The actions run there. */
  repeatsFrom: number | undefined;
  /** If empty, the events are consumed without effect. */
  calls: readonly ActionCall[];
}
