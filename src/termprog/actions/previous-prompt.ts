import type { Action } from '../ports/action.ts';
import { promptCount } from './prompt-count.ts';

/** Shows an earlier prompt of the shell. */
export const previousPrompt: Action<'prompts' | 'bell'> = {
  name: 'previous-prompt',
  run: ({ prompts, bell }, _event, parameters) => {
    const count = promptCount(parameters);
    if (count === undefined) bell.ring();
    else prompts.showPrevious(count);
  },
};
