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
  /** Collectors at the start; `Collection.use` replaces them. */
  collectors: readonly Collector[];
  clock: Clock;
  log: Logger;
}

/** Contribution of a collector that threw: its message, as a problem. */
const failed = (error: unknown): Contribution => ({ sections: {}, families: [], problems: [messageOf(error)] });

/** Numbers and random names: 8 or more hexadecimal digits, or a UUID. */
const VARYING = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d+/gi;

/** Kind of a reason: two reasons that differ only in a count, a time or a random name are of one kind. */
const withoutNumbers = (reason: string): string => reason.replaceAll(VARYING, '0');

/**
 * Limits for a section's lines in the log, so that one that fails now and then does not fill it: one line for each kind
 * of reason in this time, and this many lines in all.
 */
const LOG_INTERVAL_MS = 3_600_000;
const LOGGED_MAX = 8;

/** A reason that was logged: `kind` is what stays the same of it. */
interface LoggedReason {
  kind: string;
  /** On the monotonic clock. */
  atMs: number;
}

/** Leaves the `counters` section out when no collector filled it. */
const nonEmpty = (section: { counters: ReportCounters }): Pick<HostReport, 'counters'> =>
  Object.keys(section.counters).length === 0 ? {} : section;

/**
 * Runs every collector and joins their contributions; an error of one affects only its own sections. It owns the error
 * counts, which outlive a reload, and decides which failures are logged. `SnapshotSource` calls it.
 */
export class Collection {
  readonly #parts: Omit<CollectionParts, 'collectors'>;
  #collectors: readonly Collector[];
  /** Collector -> collections in which it failed, for as long as the agent runs. */
  readonly #errorCounts = new Map<string, number>();
  /** Section -> kind of the failure that is in the log without its end. */
  readonly #openFailures = new Map<string, string>();
  /** Section -> failures of the last hour that are in the log. */
  readonly #loggedReasons = new Map<string, readonly LoggedReason[]>();

  constructor({ collectors, ...parts }: CollectionParts) {
    this.#parts = parts;
    this.#collectors = collectors;
  }

  /**
   * Replaces the collectors from the next collection on. A collector that is left out keeps its error count, which is
   * hidden and goes on where it was when the collector comes back: a counter of Prometheus never falls while the agent
   * runs.
   */
  use(collectors: readonly Collector[]): void {
    this.#collectors = collectors;
    const sections = this.#sectionsInUse();
    for (const section of this.#openFailures.keys()) if (!sections.has(section)) this.#openFailures.delete(section);
    // After a reload a person reads the log, so the limit on repeated reasons starts anew.
    this.#loggedReasons.clear();
  }

  /** Never rejects. @spec agent#errors */
  async run(): Promise<Snapshot> {
    const { host, clock } = this.#parts;
    // A reload may replace the collectors before these have their answers.
    const collectors = this.#collectors;
    const time = new Date(clock.now()).toISOString();
    const found = await Promise.all(collectors.map((collector) => this.#collect(collector)));
    const counters: ReportCounters = Object.assign({}, ...found.map((contribution) => contribution.counters));
    const sections: Contribution['sections'] = Object.assign({}, ...found.map((contribution) => contribution.sections));
    const errors = this.#errorsOf(collectors, found);
    const report: HostReport = { host: host.name, time, ...sections, ...nonEmpty({ counters }), errors };
    return new Snapshot(report, [...found.flatMap(({ families }) => families), ...this.#ownFamilies(collectors)]);
  }

  /** Returns the answer of a collector. Most have it at once, and then it costs no promise. */
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
    this.#logChanges(errors);
    return errors;
  }

  /** Sections of the collectors in use; only these can recover. */
  #sectionsInUse(): ReadonlySet<string> {
    return new Set(this.#collectors.flatMap((collector) => collector.sections));
  }

  /**
   * Logs once when a section fails or recovers, not at every collection; if it keeps changing, not even each change.
   */
  #logChanges(errors: Readonly<Record<string, string>>): void {
    const failures = Object.entries(errors);
    if (failures.length === 0 && this.#openFailures.size === 0) return;
    const sections = this.#sectionsInUse();
    for (const [section, reason] of failures) if (sections.has(section)) this.#logFailure(section, reason);
    for (const section of this.#openFailures.keys()) {
      if (errors[section] !== undefined) continue;
      this.#parts.log.info({ section }, 'section collected again');
      this.#openFailures.delete(section);
    }
  }

  /**
   * Logs a failure, within the limits. The end of a suppressed failure is not logged; one that lasts is logged later.
   */
  #logFailure(section: string, reason: string): void {
    const kind = withoutNumbers(reason);
    if (this.#openFailures.get(section) === kind) return;
    const nowMs = this.#parts.clock.monotonic();
    const recent = (this.#loggedReasons.get(section) ?? []).filter(({ atMs }) => nowMs - atMs < LOG_INTERVAL_MS);
    if (recent.length >= LOGGED_MAX || recent.some((logged) => logged.kind === kind)) return;
    this.#parts.log.warn({ section, reason }, 'section not collected');
    this.#openFailures.set(section, kind);
    this.#loggedReasons.set(section, [...recent, { kind, atMs: nowMs }]);
  }

  /** Failures of a collector, from zero on, so that a scraper sees the first one as an increase. */
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
