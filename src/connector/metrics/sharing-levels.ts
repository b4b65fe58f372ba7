import { Gauge, type Registry } from 'prom-client';

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
}

const SECOND_MS = 1_000;

/** Adds metrics of a database that several processes can share. */
export function addSharingLevels(registry: Registry, sharing: SharingLevels): void {
  const registers = [registry];
  new Gauge({
    name: 'homeport_connector_has_database',
    help: '1 where this process has the database and serves; 0 where it waits until the one that has it ends, or is cut off while another one waits.',
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
