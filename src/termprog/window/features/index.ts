import type { HighlightRequest, WriteRefusal } from '../../engine/engine-host.ts';
import type { ShellMark } from '../../engine/shell-mark.ts';
import type { Ports } from '../../ports/action.ts';
import { ShownReason } from '../frame/shown-reason.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import { createCommandOutput } from './command-output.ts';
import { createCompose } from './compose.ts';
import type { FeatureParts } from './feature-parts.ts';
import { createInputMethod } from './input-method.ts';
import { createLinks } from './links.ts';
import { createLongCommands } from './long-commands.ts';
import { createMenus } from './menus.ts';
import { createMouse } from './mouse.ts';
import { createPromptPort } from './prompts.ts';
import { createRefusedWrites } from './refused-writes.ts';
import { createScrollbar } from './scrollbar.ts';
import { createSearch } from './search.ts';
import { createSelection } from './selection.ts';

/** The features' contributions to the window. */
export interface Features {
  /** Ports of actions. */
  ports: Pick<Ports, 'commandOutput' | 'links' | 'menus' | 'mouse' | 'prompts' | 'search' | 'selection'>;
  /** Filters that see keys and buttons before the translations, in this order. */
  filters: readonly InputFilter[];
  /** Steps that run before each frame. */
  frameSteps: readonly (() => void)[];
  /** The application answers a button press; mode 1001. */
  takeHighlight(request: HighlightRequest | undefined): void;
  /** A shell marked something on the main screen. */
  takeShellMark(mark: Pick<ShellMark, 'kind' | 'exitStatus'>): void;
  /** An application was refused to set a selection. */
  takeRefusedWrite(why: WriteRefusal): void;
  /** Steps that run once, when the first frame is on its way: work that may wait until the terminal is idle. */
  idleSteps: readonly (() => void)[];
  /** Steps that run once, when the window closes. */
  endingSteps: readonly (() => void)[];
}

/** The features of a window; each has one file in this folder and one line here. */
export function createFeatures(parts: FeatureParts): Features {
  const menus = createMenus(parts);
  const mouse = createMouse(parts);
  const selection = createSelection(parts);
  const inputMethod = createInputMethod(parts);
  // The last added decorator lies on top.
  const search = createSearch(parts, inputMethod.composition);
  const scrollbar = createScrollbar(parts);
  const reason = new ShownReason({
    ...parts,
    isCursorLow: () => parts.engine.cursor.row + parts.viewport.linesAbove >= parts.engine.rows - 1,
  });
  const links = createLinks(parts, reason);
  const compose = createCompose(parts);
  return {
    ports: {
      commandOutput: createCommandOutput(parts),
      links: links.port,
      menus: menus.port,
      mouse: mouse.port,
      prompts: createPromptPort(parts),
      search: search.port,
      selection: selection.port,
    },
    filters: [
      menus.filter,
      ...(inputMethod.filter === undefined ? [] : [inputMethod.filter]),
      compose.filter,
      search.filter,
      selection.filter,
      mouse.filter,
      links.filter,
    ],
    frameSteps: [() => scrollbar.beforeFrame(), () => links.beforeFrame(), () => reason.beforeFrame()],
    takeHighlight: mouse.takeHighlight,
    takeShellMark: createLongCommands(parts),
    takeRefusedWrite: createRefusedWrites(parts, reason),
    idleSteps: [() => compose.prepare()],
    endingSteps: [
      () => compose.stop(),
      () => links.stop(),
      () => reason.stop(),
      () => menus.stop(),
      () => inputMethod.stop(),
      () => selection.endingStep(),
      search.stop,
    ],
  };
}
