import type { HostReport, ReportCounters } from '../../../schemas/report.ts';
import type { Family } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';

/** Sections of the report a collector can fill; the rest belongs to the report itself. */
type Section = Exclude<keyof HostReport, 'host' | 'time' | 'errors'>;

/** Result of one collector. */
export interface Contribution {
  sections: Partial<Pick<HostReport, Exclude<Section, 'counters'>>>;
  /** Its members of the `counters` section, which several collectors fill. */
  counters?: ReportCounters;
  families: readonly Family[];
  /** Parts that are missing from an otherwise good result; each counts and is reported like a failure. */
  problems?: readonly string[];
}

/** One source of facts. An error that it throws is reported for its own sections only. */
export interface Collector {
  /** Value of the `collector` label. */
  readonly name: string;
  /** Keys of the report that are missing when it fails. */
  readonly sections: readonly Section[];
  /** Collects once. It must settle within a few seconds in every state of the machine. */
  collect(host: Host): Contribution | Promise<Contribution>;
}
