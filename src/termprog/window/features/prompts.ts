import type { PromptPort } from '../../ports/shown-text.ts';
import { promptAbove, promptBelow } from '../../prompts/prompt-rows.ts';
import type { FeatureParts } from './feature-parts.ts';

/** Scrolls a prompt to the first row of the view, if there is enough text below it. */
export function createPromptPort({
  engine,
  viewport,
  bell,
}: Pick<FeatureParts, 'engine' | 'viewport' | 'bell'>): PromptPort {
  const show = (find: typeof promptAbove, count: number): void => {
    const prompt = find(engine, engine.shellMarks, -viewport.linesAbove, count);
    if (prompt === undefined) bell.ring();
    else viewport.scrollBy(Math.max(0, -prompt) - viewport.linesAbove);
  };
  return {
    showPrevious: (count) => show(promptAbove, count),
    showNext: (count) => show(promptBelow, count),
  };
}
