import type { SelectionHost, SelectionTarget, WriteRefusal } from '../../engine/engine-host.ts';
import type { OptionPort } from '../../ports/states.ts';
import { selectionPlaceOf } from '../../selection/selection-places.ts';
import type { SelectionPlace, Selections } from '../../selection/selections.ts';

/**
 * Longest payload, even if `maxStringParse` is larger: twice as many characters do not fit into a JavaScript string.
 */
const PAYLOAD_MAX_BYTES = 256 * 1_024 * 1_024;

/** Creates the control functions' access to selections, by the resources in force. */
export function createSelectionHost(
  selections: Pick<Selections, 'write' | 'read'>,
  options: OptionPort,
  writeRefused: (why: WriteRefusal) => void,
): SelectionHost {
  const placesOf = (targets: readonly SelectionTarget[]): SelectionPlace[] => {
    const toClipboard = options.get('selectToClipboard');
    return [...new Set(targets.map((target) => selectionPlaceOf(target, { toClipboard })))];
  };
  return {
    maxPayload: () => Math.min(options.get('maxStringParse'), PAYLOAD_MAX_BYTES),
    write: (targets, text) => selections.write(placesOf(targets), text),
    writeRefused,
    read: (targets, answer) => void selections.read(placesOf(targets), answer),
  };
}
