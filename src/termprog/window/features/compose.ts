import type { WireEvent } from 'x11';
import { type ComposeFile, type ComposeSystem, ownComposeFile } from '../../input/compose/compose-files.ts';
import type { ComposeTable } from '../../input/compose/compose-table.ts';
import { Composer, mayBeginSequence } from '../../input/compose/composer.ts';
import { loadCompose, localeComposeFile } from '../../input/compose/load-compose.ts';
import type { InputFilter } from '../input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

/** How long reading may go on before other work has its turn. */
const SLICE_MS = 8;

/** Keys wait for the file, however busy the machine is. */
const LOADING_MAX_MS = 10_000;

/** What the composing of keys needs. */
export type ComposeParts = Pick<FeatureParts, 'keymap' | 'textInput' | 'diagnostics' | 'nowMs'> & {
  composeSystem: ComposeSystem;
};

/**
 * Dead keys and sequences with the Compose key. The locale's file is read when the first key may begin a sequence; the
 * user's own, which may have any key, with the first key. Until it is read keys wait.
 */
export function createCompose(parts: ComposeParts): InputFilter {
  let composer: Composer | undefined;
  let loading: Promise<Composer> | undefined;
  let own: ComposeFile | undefined | 'unknown' = 'unknown';

  const isWanted = (keysym: number): boolean => {
    if (own === 'unknown') own = ownComposeFile(parts.composeSystem);
    return own !== undefined || mayBeginSequence(keysym);
  };
  const load = (): Promise<Composer> => {
    const { composeSystem, diagnostics } = parts;
    const file = own === 'unknown' || own === undefined ? localeComposeFile(composeSystem) : own;
    const steps = loadCompose(file, composeSystem, (message) => diagnostics.warning(`Compose: ${message}`));
    return inSlices(steps, parts.nowMs).then((table) => {
      composer = new Composer(table);
      return composer;
    });
  };
  const press = (present: Composer, { keycode, buttons: state }: WireEvent): boolean => {
    const composed = present.press(parts.keymap().keysym(keycode, state), state);
    if (composed.kind === 'made') parts.textInput.send(composed.text);
    return composed.kind !== 'passes';
  };
  return {
    name: 'Compose',
    deadlineMs: LOADING_MAX_MS,
    filter: (event) => {
      if (event.name !== 'KeyPress') return false;
      if (composer !== undefined) return press(composer, event);
      if (loading === undefined && !isWanted(parts.keymap().keysym(event.keycode, event.buttons))) return false;
      loading ??= load();
      return loading.then((loaded) => press(loaded, event));
    },
  };
}

/** Goes through the steps; after each slice of time the event loop has a turn. */
async function inSlices(steps: Generator<undefined, ComposeTable>, nowMs: () => number): Promise<ComposeTable> {
  let started = nowMs();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (nowMs() - started < SLICE_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    started = nowMs();
  }
}
