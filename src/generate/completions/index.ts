import { bashCompletions } from './bash.ts';
import type { CompletedProgram } from './completed-program.ts';
import { fishCompletions } from './fish.ts';
import { zshCompletions } from './zsh.ts';

/** The files of a program's completions, by their paths below `share/`, where each shell looks for them. */
export function completionFiles(program: CompletedProgram): { path: string; text: string }[] {
  const { name } = program;
  return [
    { path: `share/bash-completion/completions/${name}`, text: bashCompletions(program) },
    { path: `share/zsh/site-functions/_${name}`, text: zshCompletions(program) },
    { path: `share/fish/vendor_completions.d/${name}.fish`, text: fishCompletions(program) },
  ];
}
