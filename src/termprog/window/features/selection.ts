import { COLOR_RGB } from '../../engine/cell.ts';
import type { ActionEvent } from '../../ports/action-event.ts';
import type { SelectionPort } from '../../ports/shown-text.ts';
import { TEXT_MAX_BYTES } from '../../selection/answer-reader.ts';
import { type CharacterClasses, readCharacterClasses } from '../../selection/marking/character-classes.ts';
import { CopyFlash } from '../../selection/marking/copy-flash.ts';
import { MarkedLines, type MarkedLook } from '../../selection/marking/marked-lines.ts';
import type { MarkedText } from '../../selection/marking/marked-text.ts';
import { PointerSelection } from '../../selection/marking/pointer-selection.ts';
import { textOf } from '../../selection/marking/selected-text.ts';
import { pastedBytes } from '../../selection/pasted-text.ts';
import { selectionPlaceOf } from '../../selection/selection-places.ts';
import type { SelectionPlace, TextSource } from '../../selection/selections.ts';
import { resolveColor } from '../../x11/color.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

/** State bits of the buttons; X11 protocol. */
const BUTTON_BITS = 0x1f00;

export interface SelectionFeature {
  port: SelectionPort;
  filter: InputFilter;
  endingStep(): void;
}

export type SelectionParts = Pick<
  FeatureParts,
  | 'connection'
  | 'window'
  | 'engine'
  | 'viewport'
  | 'grid'
  | 'lines'
  | 'options'
  | 'selections'
  | 'sendWhole'
  | 'bell'
  | 'keymap'
  | 'diagnostics'
  | 'redraw'
>;

/** Selects text with the pointer, publishes it, and pastes. */
export function createSelection(parts: SelectionParts): SelectionFeature {
  const { engine, viewport, grid, lines, options, redraw } = parts;
  // The painter may be running: the next frame shows the change.
  const changed = (): void => queueMicrotask(redraw);
  const flash = new CopyFlash(changed);
  const classes = loadClasses(parts);
  const pointer = new PointerSelection({
    view: engine,
    linesAbove: () => viewport.linesAbove,
    cellAt: (place) => grid.cellAt(place),
    classes: () => classes,
    multiClickTimeMs: () => options.get('multiClickTime'),
    scrollBy: (by) => viewport.scrollBy(by),
    isHeld: () => isButtonHeld(parts),
    changed: () => {
      flash.stop();
      changed();
    },
  });
  const flashLook = loadFlashLook(parts);
  lines.add(
    new MarkedLines({
      view: engine,
      linesAbove: () => viewport.linesAbove,
      marked: () => pointer.marked,
      look: () => (flash.isOn ? flashLook() : 'inverse'),
      lost: () => pointer.clear(),
    }),
  );
  const publish = publisher(parts, (marked) => {
    if (pointer.marked === marked) pointer.clear();
  });
  return {
    port: {
      get isSelecting() {
        return pointer.isMarking;
      },
      start: (event, isBlock) => pointer.start(event, { isBlock: isBlock || isMetaHeld(parts, event) }),
      startExtend: (event) => pointer.startExtend(event),
      extend: (event) => pointer.extend(event),
      end: (event, names) => {
        const isCopy = event.kind !== 'release';
        if (!isCopy && !pointer.end(event)) return;
        const { marked } = pointer;
        if (marked?.isWhole !== true) return;
        const isPublished = publish(marked, names, event.time);
        if (isCopy && isPublished) flash.start(options.get('copyFlashDuration'));
      },
      insert: (names) => paste(parts, names),
    },
    filter: {
      name: 'the selection',
      events: ['ButtonPress'],
      // A press while no button was held means that the release that ends the selection went to another window.
      filter: ({ buttons: state }) => {
        if ((state & BUTTON_BITS) === 0) pointer.stop();
        return false;
      },
    },
    endingStep: () => {
      pointer.stop();
      flash.stop();
    },
  };
}

function loadClasses({ options, diagnostics }: Pick<FeatureParts, 'options' | 'diagnostics'>): CharacterClasses {
  return readCharacterClasses(options.get('charClass'), (problem) =>
    diagnostics.warning(`resource vt100.charClass: ${problem}`),
  );
}

/** Returns the look of copied text during the flash. */
function loadFlashLook({
  connection,
  options,
  diagnostics,
}: Pick<FeatureParts, 'connection' | 'options' | 'diagnostics'>): () => MarkedLook {
  let look: MarkedLook = 'plain';
  const spec = options.get('copyFlashColor');
  if (spec !== undefined && spec !== '') {
    const color = resolveColor(connection, spec);
    color.then(
      (rgb) => {
        if (rgb !== undefined) look = { background: COLOR_RGB | (rgb.red << 16) | (rgb.green << 8) | rgb.blue };
        else
          diagnostics.warning(`resource vt100.copyFlashColor: the X server knows no colour "${spec}"; there is none`);
      },
      () => {
        // The connection has ended.
      },
    );
  }
  return () => look;
}

/**
 * Returns a function that publishes marked text in the named places. It returns false if there is no text, or too much.
 */
function publisher(
  {
    engine,
    options,
    selections,
    bell,
    diagnostics,
  }: Pick<FeatureParts, 'engine' | 'options' | 'selections' | 'bell' | 'diagnostics'>,
  lost: (marked: MarkedText) => void,
): (marked: MarkedText, names: readonly string[], time: number) => boolean {
  const sources = new WeakMap<MarkedText, TextSource>();
  return (marked, names, time) => {
    const { range } = marked;
    const places = placesOf(names, options);
    const text = range && textOf(engine, range, TEXT_MAX_BYTES);
    if (range !== undefined && text === undefined) {
      bell.ring();
      diagnostics.warning(`the selected text is not published: it has more than ${TEXT_MAX_BYTES >> 20} MiB`);
    }
    if (text === undefined || text.length === 0 || places.length === 0) return false;
    const source = sources.get(marked) ?? { lost: () => lost(marked) };
    sources.set(marked, source);
    selections.publish(places, text, { source, time });
    return true;
  };
}

function placesOf(names: readonly string[], options: FeatureParts['options']): SelectionPlace[] {
  const toClipboard = options.get('selectToClipboard');
  return [...new Set(names.map((name) => selectionPlaceOf(name, { toClipboard })))];
}

/** Alt takes Meta's place on a keyboard without Meta, as X programs expect. */
function isMetaHeld({ keymap }: Pick<FeatureParts, 'keymap'>, { state }: ActionEvent): boolean {
  const { meta, alt } = keymap().modifiers;
  return (state & (meta || alt)) !== 0;
}

/** Queries the server: the release of a button may have gone to a program that grabbed the pointer. */
async function isButtonHeld({ connection, window }: Pick<FeatureParts, 'connection' | 'window'>): Promise<boolean> {
  const asked = connection.ask<{ keyMask: number }>('the pointer', (client, reply) =>
    client.QueryPointer(window, reply),
  );
  connection.flush();
  return ((await asked).keyMask & BUTTON_BITS) !== 0;
}

function paste(
  {
    selections,
    options,
    engine,
    sendWhole,
    bell,
  }: Pick<FeatureParts, 'selections' | 'options' | 'engine' | 'sendWhole' | 'bell'>,
  names: readonly string[],
): void {
  const places = placesOf(names, options);
  if (places.length === 0) return;
  const isAsked = selections.read(places, (text) => {
    if (text !== undefined) sendWhole(pastedBytes(text, { isBracketed: engine.modes.get('bracketedPaste') }));
  });
  if (!isAsked) bell.ring();
}
