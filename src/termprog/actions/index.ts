import type { Action } from '../ports/action.ts';
import { fontChoice } from './font-choice.ts';
import { keyInput } from './key-input.ts';
import { pointerEvents } from './pointer-events.ts';
import { scrollAndSearch } from './scroll-and-search.ts';
import { shellCommands } from './shell-commands.ts';
import { switches } from './switches.ts';
import { textSelection } from './text-selection.ts';

/** All actions. @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget */
export const actions: readonly Action[] = [
  ...scrollAndSearch,
  ...shellCommands,
  ...keyInput,
  ...fontChoice,
  ...pointerEvents,
  ...textSelection,
  ...switches,
];
