import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../kernel/version.ts';
import { ENTRY_KINDS } from '../domain/entry.ts';
import { MESSAGE_STATUSES } from '../domain/outgoing-message.ts';
import type { AttemptOutcome } from '../ports/callbacks.ts';
import type { Measurements } from '../ports/measurements.ts';
import { addDatabaseCounts, type DatabaseCounts } from './database-counts.ts';
import { addSharingLevels, type Hearing, type SharingLevels } from './sharing-levels.ts';

/** Bounds of the buckets, from half a millisecond to ten seconds. */
const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SECOND_MS = 1_000;
/** Milliseconds since 1970; taken once, because a standby that takes over shows other metrics of the same process. */
const STARTED_AT = Math.round(performance.timeOrigin);

/** Values that are read at each scrape. */
export interface Levels {
  sessionsOnline: number;
  sessionsWanted: number;
  networksConnected: number;
  waitingTasks: number;
  waitingLines: number;
  unindexedEntries: number;
}

export interface Metrics {
  measurements: Measurements;
  registry: Registry;
}

const OUTCOMES: readonly AttemptOutcome['kind'][] = ['accepted', 'refused', 'failed'];

/** Creates all metrics of the connector. Labels are words of this program, never texts from people. */
export function createMetrics(levels: () => Levels, counts: DatabaseCounts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addBuildInfo(registry);
  addLevels(registry, levels);
  addDatabaseCounts(registry, counts);
  const lines = new Counter({
    name: 'homeport_connector_entries_captured_total',
    help: 'Activity entries stored from the bouncer, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const sends = new Counter({
    name: 'homeport_connector_sent_lines_total',
    help: 'Lines of sent messages, by the status they reached.',
    labelNames: ['status'],
    registers,
  });
  const calls = new Histogram({
    name: 'homeport_connector_tool_call_seconds',
    help: 'Tool calls by tool and outcome, with their time.',
    labelNames: ['tool', 'outcome'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'homeport_connector_database_statement_seconds',
    help: 'Statements of the database by kind, with their time.',
    labelNames: ['statement'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const verifications = new Counter({
    name: 'homeport_connector_callback_verifications_total',
    help: 'Callbacks that were asked whether they want events, by what came of it.',
    labelNames: ['outcome'],
    registers,
  });
  const attempts = new Histogram({
    name: 'homeport_connector_delivery_attempt_seconds',
    help: 'Attempts to deliver an event, by what came of them, with their time.',
    labelNames: ['outcome'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  for (const kind of ENTRY_KINDS) lines.inc({ kind }, 0);
  for (const status of MESSAGE_STATUSES) sends.inc({ status }, 0);
  verifications.inc({ outcome: 'verified' }, 0);
  for (const outcome of OUTCOMES) attempts.zero({ outcome });
  const called = new Set<string>();
  return {
    registry,
    measurements: {
      captured: (kind) => lines.inc({ kind }),
      sent: (status, count) => sends.inc({ status }, count),
      toolCalled: (tool, outcome, seconds) => {
        // A series that begins with its first failure would hide it: increases are counted from the first sample.
        if (!called.has(tool)) calls.zero({ tool, outcome: 'failed' });
        called.add(tool);
        calls.observe({ tool, outcome }, seconds);
      },
      statementRun: (statement, seconds) => statements.observe({ statement }, seconds),
      callbackVerified: (outcome) => verifications.inc({ outcome }),
      deliveryAttempted: (outcome, seconds) => attempts.observe({ outcome }, seconds),
    },
  };
}

/** Creates the metrics of a process that waits for the database. */
export function createStandbyMetrics(sharing: SharingLevels, hearing: Hearing): Registry {
  const registry = new Registry();
  addBuildInfo(registry);
  addSharingLevels(registry, sharing, hearing);
  return registry;
}

function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'homeport_connector_build_info',
    help: 'Always 1; the label has the version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  new Gauge({
    name: 'homeport_connector_started_timestamp_seconds',
    help: 'When this process began, as Unix time by its own clock.',
    registers: [registry],
  }).set(STARTED_AT / SECOND_MS);
}

function addLevels(registry: Registry, levels: () => Levels): void {
  const registers = [registry];
  new Gauge({
    name: 'homeport_connector_sessions_online',
    help: 'Accounts with a session at the bouncer.',
    registers,
    collect() {
      this.set(levels().sessionsOnline);
    },
  });
  new Gauge({
    name: 'homeport_connector_sessions_wanted',
    help: 'Accounts that are to have a session at the bouncer: their people are online.',
    registers,
    collect() {
      this.set(levels().sessionsWanted);
    },
  });
  new Gauge({
    name: 'homeport_connector_networks_connected',
    help: 'Accounts with a session at the bouncer whose IRC network is connected.',
    registers,
    collect() {
      this.set(levels().networksConnected);
    },
  });
  new Gauge({
    name: 'homeport_connector_search_backlog_entries',
    help: 'Entries the search index does not have yet, apart from the newest few of each channel; NaN until they are counted.',
    registers,
    collect() {
      this.set(levels().unindexedEntries);
    },
  });
  new Gauge({
    name: 'homeport_connector_queue_depth',
    help: 'Waiting items of all accounts: tasks in their queues, and lines for the database.',
    labelNames: ['queue'],
    registers,
    collect() {
      const { waitingTasks, waitingLines } = levels();
      this.set({ queue: 'tasks' }, waitingTasks);
      this.set({ queue: 'lines' }, waitingLines);
    },
  });
}
