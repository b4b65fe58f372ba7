import type { SelectionPort, SelectionTarget } from '../engine/engine-host.ts';
import type { OptionPort } from '../ports/options.ts';
import type { Selections, TextPlace } from '../selection/selections.ts';

const CUT_BUFFER = 'CUT_BUFFER';

/** Longest payload, whatever `maxStringParse` says: twice as many characters do not fit into a string of the language. */
const PAYLOAD_MAX_BYTES = 256 * 1_024 * 1_024;

/** What control functions do with selections, by the resources in force. */
export function createSelectionPort(
  selections: Pick<Selections, 'write' | 'read'>,
  options: OptionPort,
): SelectionPort {
  const placeOf = (target: SelectionTarget): TextPlace => {
    if (target === 'SELECT') return options.get('selectToClipboard') ? 'CLIPBOARD' : 'PRIMARY';
    return isSelection(target) ? target : Number(target.slice(CUT_BUFFER.length));
  };
  const placesOf = (targets: readonly SelectionTarget[]): TextPlace[] => [...new Set(targets.map(placeOf))];
  return {
    maxPayload: () => Math.min(options.get('maxStringParse'), PAYLOAD_MAX_BYTES),
    write: (targets, text) => selections.write(placesOf(targets), text),
    read: (targets, answer) => selections.read(placesOf(targets), answer),
  };
}

function isSelection(target: SelectionTarget): target is Exclude<SelectionTarget, `${typeof CUT_BUFFER}${string}`> {
  return !target.startsWith(CUT_BUFFER);
}
