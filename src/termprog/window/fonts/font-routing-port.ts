import { printable } from '../../diagnostics.ts';
import { RoutingRecords } from '../../fonts/routing/routing-records.ts';
import type { FontRoutingPort } from '../../ports/appearance.ts';

/** Records of font decisions, collected from the start or not at all. */
export interface CollectedRouting {
  /** Collects the decisions; undefined when the resource does not request it. */
  readonly notes: RoutingRecords | undefined;
  readonly port: FontRoutingPort;
}

/** @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget report-font-routing() */
export function collectRouting(isWanted: boolean, complain: (text: string) => void): CollectedRouting {
  const notes = isWanted ? new RoutingRecords() : undefined;
  const report = (): void => {
    const lines = notes?.format() ?? ['decisions about fonts: not collected, because vt100.reportFontRouting is false'];
    complain(lines.map((line) => `${printable(line)}\n`).join(''));
  };
  return { notes, port: { report } };
}
