import type { HostReport } from '../../../schemas/report.ts';
import { type Family, gauge } from '../exposition/family.ts';
import { formatFamilies } from '../exposition/text-format.ts';
import { EncodedText } from './encoded-text.ts';
import type { ServiceRows } from './unit-rows.ts';

/** Content coding of an answer. */
export type Coding = 'identity' | 'gzip';

const TIME_HELP = 'System time in seconds since epoch (1970).';

/** The result of one collection, never changed; each form is encoded at most once. */
export class Snapshot {
  readonly report: Readonly<HostReport>;
  readonly #families: readonly Family[];
  #json: EncodedText | undefined;
  #metrics: EncodedText | undefined;

  constructor(report: HostReport, families: readonly Family[]) {
    this.report = Object.freeze(report);
    this.#families = families;
  }

  json(coding: Coding): Buffer | string {
    this.#json ??= new EncodedText(JSON.stringify(this.report));
    return coding === 'gzip' ? this.#json.gzip() : this.#json.plain();
  }

  /** The report with the `services` that one request asked for, encoded for that request alone. */
  jsonWith({ services, problem }: ServiceRows, coding: Coding): Buffer | string {
    const errors = problem === undefined ? this.report.errors : { ...this.report.errors, services: problem };
    const text = new EncodedText(JSON.stringify({ ...this.report, services, errors }));
    return coding === 'gzip' ? text.gzip() : text.plain();
  }

  /**
   * The text format. The clock is that of the answer and not of the collection, so that a scraper can compare it with its own.
   * @param nowMs wall clock
   */
  metrics(nowMs: number, coding: Coding): Buffer | string {
    this.#metrics ??= new EncodedText(formatFamilies(this.#families));
    const time = formatFamilies([gauge('node_time_seconds', TIME_HELP, nowMs / 1000)]);
    return coding === 'gzip' ? this.#metrics.gzip(time) : this.#metrics.plain(time);
  }
}
