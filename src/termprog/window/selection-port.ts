import type { SelectionPort, SelectionTarget, WriteRefusal } from '../engine/engine-host.ts';
import type { OptionPort } from '../ports/options.ts';
import type { Selections, TextPlace } from '../selection/selections.ts';
import { placeOf } from '../selection/text-places.ts';

/** Longest payload, whatever `maxStringParse` says: twice as many characters do not fit into a string of the language. */
const PAYLOAD_MAX_BYTES = 256 * 1_024 * 1_024;

/** What control functions do with selections, by the resources in force. */
export function createSelectionPort(
  selections: Pick<Selections, 'write' | 'read'>,
  options: OptionPort,
  writeRefused: (why: WriteRefusal) => void,
): SelectionPort {
  const placesOf = (targets: readonly SelectionTarget[]): TextPlace[] => {
    const toClipboard = options.get('selectToClipboard');
    return [...new Set(targets.map((target) => placeOf(target, { toClipboard })))];
  };
  return {
    maxPayload: () => Math.min(options.get('maxStringParse'), PAYLOAD_MAX_BYTES),
    write: (targets, text) => selections.write(placesOf(targets), text),
    writeRefused,
    read: (targets, answer) => void selections.read(placesOf(targets), answer),
  };
}
