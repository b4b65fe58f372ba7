import type { Action } from '../ports/action.ts';

/** Shows an earlier prompt of the shell. */
const previousPrompt: Action<'prompts' | 'bell'> = {
  name: 'previous-prompt',
  run: ({ prompts, bell }, _event, parameters) => {
    const count = promptCount(parameters);
    if (count === undefined) bell.ring();
    else prompts.showPrevious(count);
  },
};

/** Shows a later prompt of the shell. */
const nextPrompt: Action<'prompts' | 'bell'> = {
  name: 'next-prompt',
  run: ({ prompts, bell }, _event, parameters) => {
    const count = promptCount(parameters);
    if (count === undefined) bell.ring();
    else prompts.showNext(count);
  },
};

/** Pipes the output of the last completed command to the user's own command. */
const pipeCommandOutput: Action<'commandOutput'> = {
  name: 'pipe-command-output',
  run: ({ commandOutput }) => commandOutput.pipe(),
};

/** Actions for what the shell has marked: prompts and the output of commands. */
export const shellCommands: readonly Action[] = [previousPrompt, nextPrompt, pipeCommandOutput];

/** Parses the only parameter, a whole number from 1 on; 1 by default. Undefined for other parameters. */
export function promptCount(parameters: readonly string[]): number | undefined {
  const [count = '1', ...others] = parameters;
  return others.length === 0 && /^0*[1-9]\d{0,8}$/.test(count) ? Number(count) : undefined;
}
