import { Counter, Gauge, type Registry } from 'prom-client';
import { TAKEOVER_CAUSES, type TakeoverCause } from '../ports/hold.ts';

/** State of a process among those that share the database. */
export interface SharingLevels {
  /**
   * The process that has the database, and since when by the database's clock, milliseconds since 1970; undefined until
   * it was read.
   */
  readonly holder: { name: string | undefined; takenAt: number } | undefined;
  /** Whether this process is the one that has it. */
  readonly hasSlot: boolean;
  /** Whether this process is cut off from the database, and another one may have it by now. */
  readonly mayBeReplaced: boolean;
  /** Milliseconds by which the clock here is ahead of the database's. */
  readonly clockOffMs: number;
  /** Number of processes that serve, as this one sees it. */
  readonly serving: number;
  /** Why this process could take the database; undefined while it has not. */
  readonly takeover: TakeoverCause | undefined;
  /** Milliseconds since its last answered heartbeat was sent, and until it was answered. */
  readonly heartbeat: { ageMs: number; tookMs: number };
  /** Slots of the accounts that this process acts for. */
  readonly accounts: { readonly own: ReadonlySet<number> };
}

/** What a process hears of others. */
export interface Hearing {
  /** Milliseconds since it has heard a notice; undefined while there is no other process to hear of. */
  readonly heardAgeMs: number | undefined;
}

const SECOND_MS = 1_000;

/** Adds metrics of a database that several processes can share. */
export function addSharingLevels(registry: Registry, sharing: SharingLevels, hearing: Hearing): void {
  const registers = [registry];
  addTogether(registry, sharing, hearing);
  new Gauge({
    name: 'homeport_connector_has_database',
    help: '1 where this process has the database, and with it the work that one process does for all; 0 where it serves beside that one, waits, or is cut off while another one waits.',
    registers,
    collect() {
      this.set(sharing.hasSlot && !sharing.mayBeReplaced ? 1 : 0);
    },
  });
  new Gauge({
    name: 'homeport_connector_database_holder_info',
    help: 'Always 1; the label names the process that has the database.',
    labelNames: ['holder'],
    registers,
    collect() {
      this.reset();
      const { holder } = sharing;
      if (holder !== undefined) this.set({ holder: holder.name ?? 'unknown' }, 1);
    },
  });
  new Gauge({
    name: 'homeport_connector_database_taken_timestamp_seconds',
    help: 'Since when the process that has the database has it, as Unix time by the clock of the database.',
    registers,
    collect() {
      const { holder } = sharing;
      this.set(holder === undefined ? Number.NaN : holder.takenAt / SECOND_MS);
    },
  });
  new Gauge({
    name: 'homeport_connector_clock_ahead_seconds',
    help: 'By how much the clock of this process is ahead of the database’s, at least; 0 while it may be right.',
    registers,
    collect() {
      this.set(sharing.clockOffMs / SECOND_MS);
    },
  });
}

/** Adds what only matters beside other processes. */
function addTogether(registry: Registry, sharing: SharingLevels, hearing: Hearing): void {
  const registers = [registry];
  new Gauge({
    name: 'homeport_connector_account_slots',
    help: 'How many of the 64 slots of accounts this process acts for; all processes together have 64.',
    registers,
    collect() {
      this.set(sharing.accounts.own.size);
    },
  });
  new Gauge({
    name: 'homeport_connector_processes_serving',
    help: 'Processes that serve on the database, this one included if it does; each process counts all of them.',
    registers,
    collect() {
      this.set(sharing.serving);
    },
  });
  new Counter({
    name: 'homeport_connector_takeovers_total',
    help: 'How often this process has taken the database, by cause: free (nobody had it, as after an orderly end), ended (the run before on this machine had died), silent (the heartbeats of the one that had it had stopped).',
    labelNames: ['cause'],
    registers,
    collect() {
      this.reset();
      for (const cause of TAKEOVER_CAUSES) this.inc({ cause }, sharing.takeover === cause ? 1 : 0);
    },
  });
  new Gauge({
    name: 'homeport_connector_heartbeat_age_seconds',
    help: 'Time since the last answered heartbeat was sent; one is sent every two seconds, and after seven without an answer the process does nothing any more.',
    registers,
    collect() {
      this.set(sharing.heartbeat.ageMs / SECOND_MS);
    },
  });
  new Gauge({
    name: 'homeport_connector_heartbeat_seconds',
    help: 'How long the database took to answer the last answered heartbeat.',
    registers,
    collect() {
      this.set(sharing.heartbeat.tookMs / SECOND_MS);
    },
  });
  new Gauge({
    name: 'homeport_connector_notice_age_seconds',
    help: 'Time since this process has heard a notice by the database, of its own or of others, which come every two seconds; NaN while no other process serves.',
    registers,
    collect() {
      const { heardAgeMs } = hearing;
      this.set(heardAgeMs === undefined ? Number.NaN : heardAgeMs / SECOND_MS);
    },
  });
}
