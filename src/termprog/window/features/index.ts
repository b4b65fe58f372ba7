import type { Ports } from '../../ports/action.ts';
import type { InputFilter } from '../input-pipeline.ts';
import { createCompose } from './compose.ts';
import type { FeatureParts } from './feature-parts.ts';
import { createScrollbar } from './scrollbar.ts';

/** What the features add to the window. */
export interface Features {
  /** For actions. */
  ports: Pick<Ports, never>;
  /** See keys and buttons before the translations, in this order. */
  filters: readonly InputFilter[];
  /** Each is run before a frame is painted. */
  frameSteps: readonly (() => void)[];
  /** Each is run once, when the window closes. */
  endingSteps: readonly (() => void)[];
}

/** The features of a window; each has one file in this folder and one line here. */
export function createFeatures(parts: FeatureParts): Features {
  const scrollbar = createScrollbar(parts);
  return {
    ports: {},
    filters: [createCompose(parts)],
    frameSteps: [() => scrollbar.beforeFrame()],
    endingSteps: [],
  };
}
