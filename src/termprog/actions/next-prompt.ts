import type { Action } from '../ports/action.ts';
import { promptCount } from './prompt-count.ts';

/** Shows a later prompt of the shell. */
export const nextPrompt: Action<'prompts' | 'bell'> = {
  name: 'next-prompt',
  run: ({ prompts, bell }, _event, parameters) => {
    const count = promptCount(parameters);
    if (count === undefined) bell.ring();
    else prompts.showNext(count);
  },
};
