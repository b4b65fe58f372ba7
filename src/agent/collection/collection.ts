import type { HostReport, ReportCounters } from '../../../schemas/report.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Collector, Contribution } from '../collectors/collector.ts';
import { counter, type Family, gauge } from '../exposition/family.ts';
import type { Host } from '../host/host.ts';
import { Snapshot } from './snapshot.ts';

export interface CollectionParts {
  host: Host;
  /** Those of the start; see `Collection.use`. */
  collectors: readonly Collector[];
  clock: Clock;
  log: Logger;
}

/** What a collector that threw has to say. */
const failed = (error: unknown): Contribution => ({ sections: {}, families: [], problems: [messageOf(error)] });

/** Numbers, and what programs name by chance: 8 and more hexadecimal digits, or a UUID. */
const VARYING = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d+/gi;

/** A reason in which only a count, a time or a name made by chance has changed is the same reason. */
const withoutNumbers = (reason: string | undefined): string | undefined => reason?.replaceAll(VARYING, '0');

/** A section nobody filled is left out. */
const nonEmpty = (section: { counters: ReportCounters }): Pick<HostReport, 'counters'> =>
  Object.keys(section.counters).length === 0 ? {} : section;

/** Runs every collector and joins what they found; what one throws stays with its own sections. */
export class Collection {
  readonly #parts: Omit<CollectionParts, 'collectors'>;
  #collectors: readonly Collector[];
  /** Collector -> collections in which it failed, for as long as the agent runs. */
  readonly #errorCounts = new Map<string, number>();
  #lastErrors: Readonly<Record<string, string>> = {};

  constructor({ collectors, ...parts }: CollectionParts) {
    this.#parts = parts;
    this.#collectors = collectors;
  }

  /**
   * Collects with these from the next collection on. The count of one that is left out is not shown meanwhile and goes
   * on where it was when the collector comes back: a counter of Prometheus never falls while the agent runs.
   */
  use(collectors: readonly Collector[]): void {
    this.#collectors = collectors;
    this.#lastErrors = this.#inUse(this.#lastErrors);
  }

  /** Never rejects. @spec agent#errors */
  async run(): Promise<Snapshot> {
    const { host, clock } = this.#parts;
    // Others may be in use when these have their answers.
    const collectors = this.#collectors;
    const time = new Date(clock.now()).toISOString();
    const found = await Promise.all(collectors.map((collector) => this.#collect(collector)));
    const counters: ReportCounters = Object.assign({}, ...found.map((contribution) => contribution.counters));
    const sections: Contribution['sections'] = Object.assign({}, ...found.map((contribution) => contribution.sections));
    const errors = this.#errorsOf(collectors, found);
    const report: HostReport = { host: host.name, time, ...sections, ...nonEmpty({ counters }), errors };
    return new Snapshot(report, [...found.flatMap(({ families }) => families), ...this.#ownFamilies(collectors)]);
  }

  /** Most collectors have their answer at once: what need not be waited for costs no promise. */
  #collect(collector: Collector): Contribution | Promise<Contribution> {
    try {
      const found = collector.collect(this.#parts.host);
      return found instanceof Promise ? found.catch(failed) : found;
    } catch (error) {
      return failed(error);
    }
  }

  /** @param found in the order of the collectors */
  #errorsOf(collectors: readonly Collector[], found: readonly Contribution[]): Record<string, string> {
    const errors: Record<string, string> = {};
    for (const [index, collector] of collectors.entries()) {
      const { problems = [] } = found[index] ?? {};
      if (problems.length === 0) continue;
      this.#errorCounts.set(collector.name, this.#errorCountOf(collector) + 1);
      for (const section of collector.sections) {
        errors[section] = [...(errors[section] === undefined ? [] : [errors[section]]), ...problems].join('; ');
      }
    }
    this.#logChanges(this.#inUse(errors));
    return errors;
  }

  /** Without sections that are not asked for any more: they have not recovered. */
  #inUse(errors: Readonly<Record<string, string>>): Record<string, string> {
    const sections = new Set<string>(this.#collectors.flatMap((collector) => collector.sections));
    return Object.fromEntries(Object.entries(errors).filter(([section]) => sections.has(section)));
  }

  /** Once when a section fails or recovers, not every ten seconds. */
  #logChanges(errors: Record<string, string>): void {
    const { log } = this.#parts;
    for (const [section, reason] of Object.entries(errors)) {
      if (withoutNumbers(this.#lastErrors[section]) !== withoutNumbers(reason))
        log.warn({ section, reason }, 'section not collected');
    }
    for (const section of Object.keys(this.#lastErrors)) {
      if (errors[section] === undefined) log.info({ section }, 'section collected again');
    }
    this.#lastErrors = errors;
  }

  /** From zero, so that a scraper sees the first error as an increase. */
  #errorCountOf({ name }: Collector): number {
    return this.#errorCounts.get(name) ?? 0;
  }

  #ownFamilies(collectors: readonly Collector[]): Family[] {
    const samples = collectors.map((collector) => ({
      labels: { collector: collector.name },
      value: this.#errorCountOf(collector),
    }));
    return [
      gauge('monitor_agent_build_info', 'Version of the agent; the value is always 1.', [
        { labels: { version: VERSION }, value: 1 },
      ]),
      counter(
        'monitor_agent_collect_errors_total',
        'Collections in which a collector failed in whole or in part.',
        samples,
      ),
    ];
  }
}
