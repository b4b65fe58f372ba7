import type { ControlFunction } from './control-function.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * Returns the function that the parser calls: it runs if the conformance level has it. A bug in it must not end the
 * session or stop the parser, which goes on when it gets `true`.
 */
export function guard(state: TerminalState, definition: ControlFunction, run: () => void): () => true {
  return () => runGuarded(state, definition, run);
}

/** Runs a function at once, with the same protection. */
export function runGuarded(state: TerminalState, { name, level = 1 }: ControlFunction, run: () => void): true {
  try {
    if (state.level >= level) run();
  } catch (error) {
    state.host.failed(name, error);
  }
  return true;
}
