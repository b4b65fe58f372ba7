import type { Action } from '../ports/action.ts';

export const pipeCommandOutput: Action<'commandOutput'> = {
  name: 'pipe-command-output',
  run: ({ commandOutput }) => commandOutput.pipe(),
};
