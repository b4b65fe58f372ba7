import type { WireEvent } from 'x11';
import { type ComposeFile, ownComposeFile } from '../../input/compose/compose-files.ts';
import type { ComposeTable } from '../../input/compose/compose-table.ts';
import { Composer, mayBeginSequence } from '../../input/compose/composer.ts';
import { loadCompose, localeComposeFile } from '../../input/compose/load-compose.ts';
import { GROUPS, type Keymap, STATE, withGroup } from '../../input/keymap.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

/** Longest time that loading runs before other work has its turn: while a key waits for it, and otherwise. */
const SLICE_MS = 8;
const IDLE_SLICE_MS = 2;

/** Longest time that keys wait for the file, however busy the machine is. */
const LOADING_MAX_MS = 10_000;

/** Delay between the first frame and the loading: the shell's first prompt and the first keys come before it. */
const READ_AFTER_MS = 500;

/** Keycodes of keys; X11 protocol, KEYCODE. */
const FIRST_KEYCODE = 8;
const LAST_KEYCODE = 255;

/** The parts that Compose needs. */
export type ComposeParts = Pick<FeatureParts, 'keymap' | 'textInput' | 'composeSystem' | 'diagnostics' | 'nowMs'>;

export interface ComposeFeature {
  filter: InputFilter;
  /**
   * Starts to load the file a moment later, if the keyboard may need one. Call it when the first frame is on its way.
   */
  prepare(): void;
  stop(): void;
}

/**
 * Dead keys and sequences with the Compose key. If some key of the keyboard may begin a sequence, the locale's file is
 * loaded while the terminal is idle after its first frame, at the latest with the first such key. The user's own file,
 * which may contain any key, is loaded in the same way, at the latest with the first key. Keys wait during the loading.
 */
export function createCompose(parts: ComposeParts): ComposeFeature {
  let composer: Composer | undefined;
  let loading: Promise<Composer> | undefined;
  let own: ComposeFile | undefined | 'unknown' = 'unknown';
  let isAwaited = false;
  let timer: NodeJS.Timeout | undefined;

  const hasOwn = (): boolean => {
    if (own === 'unknown') own = ownComposeFile(parts.composeSystem);
    return own !== undefined;
  };
  const load = (): Promise<Composer> => {
    const { composeSystem, diagnostics } = parts;
    const file = own === 'unknown' || own === undefined ? localeComposeFile(composeSystem) : own;
    const steps = loadCompose(file, composeSystem, (message) => diagnostics.warning(`Compose: ${message}`));
    return inSlices(steps, parts.nowMs, () => (isAwaited ? SLICE_MS : IDLE_SLICE_MS)).then((table) => {
      composer = new Composer(table);
      diagnostics.debug(`Compose: ${file.path} has ${table.count} sequences`);
      return composer;
    });
  };
  const press = (present: Composer, { keycode, buttons: state }: WireEvent): boolean => {
    const composed = present.press(parts.keymap().keysym(keycode, state), state);
    if (composed.kind === 'made') parts.textInput.send(composed.text);
    return composed.kind !== 'passes';
  };
  return {
    filter: {
      name: 'Compose',
      events: ['KeyPress'],
      deadlineMs: LOADING_MAX_MS,
      filter: (event) => {
        if (composer !== undefined) return press(composer, event);
        const keysym = (): number => parts.keymap().keysym(event.keycode, event.buttons);
        // The user's own file may contain any key: each key waits until it is loaded.
        if (!hasOwn() && !mayBeginSequence(keysym()) && !isAwaited) return false;
        isAwaited = true;
        loading ??= load();
        return loading.then((loaded) => press(loaded, event));
      },
    },
    prepare: () => {
      timer = setTimeout(() => {
        if (loading !== undefined || !(hasOwn() || beginsSequences(parts.keymap()))) return;
        loading = load();
        // A waiting key receives the failure; if no key waits, the rejection must not end the program.
        loading.catch(() => {});
      }, READ_AFTER_MS);
      timer.unref();
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Whether some key of the keyboard may begin a sequence of a locale's file, with the modifiers that choose characters.
 */
function beginsSequences(keymap: Keymap): boolean {
  const { level3 } = keymap.modifiers;
  const states = Array.from({ length: GROUPS }, (_, group) =>
    [0, STATE.shift, level3, level3 | STATE.shift].map((state) => withGroup(state, group)),
  ).flat();
  for (let keycode = FIRST_KEYCODE; keycode <= LAST_KEYCODE; keycode += 1) {
    if (states.some((state) => mayBeginSequence(keymap.keysym(keycode, state)))) return true;
  }
  return false;
}

/** Runs the steps; after each time slice it yields to the event loop. */
async function inSlices(
  steps: Generator<undefined, ComposeTable>,
  nowMs: () => number,
  sliceMs: () => number,
): Promise<ComposeTable> {
  let started = nowMs();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (nowMs() - started < sliceMs()) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    started = nowMs();
  }
}
