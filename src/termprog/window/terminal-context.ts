import type { Diagnostics } from '../diagnostics.ts';
import type { ComposeSystem } from '../input/compose/compose-files.ts';
import type { Keymap } from '../input/keymap.ts';
import type { LiveOptions } from '../options/live-options.ts';
import type { ChildCommand } from '../pty/child-command.ts';
import type { ResourceLookup } from '../xresource/lookup.ts';
import type { WindowAtoms } from './desktop/window-atoms.ts';

/** Facts about this terminal from the machine and the command line. */
export interface TerminalContext {
  name: { instance: string; class: string };
  hostName: string;
  /** Name of the locale of the program's texts, such as `C.UTF-8`. */
  locale: string;
  processId: number;
  environment: Readonly<Record<string, string | undefined>>;
  command: ChildCommand;
  shell: string;
  nowMs(): number;
  /** Writes to the standard error stream, while it has a reader. */
  complain(text: string): void;
  diagnostics: Diagnostics;
  /** The resources that may change while the terminal runs. */
  options: LiveOptions;
  /** Resources of widgets, such as menus and the scrollbar. */
  resources: ResourceLookup;
  /** Reads the files with key sequences. */
  composeSystem: ComposeSystem;
  /** Requests that were sent to the server before the resources were known. */
  early: { atoms: Promise<WindowAtoms>; keymap: Promise<Keymap> };
}
