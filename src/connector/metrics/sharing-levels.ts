import { Gauge, type Registry } from 'prom-client';

/** What a process knows of itself among those that share the database. */
export interface SharingLevels {
  /** The process that has the database, and since when by its clock, milliseconds since 1970; undefined until that was seen. */
  readonly holder: { name: string | undefined; takenAt: number } | undefined;
  /** Whether this process is the one that has it. */
  readonly hasSlot: boolean;
  /** By how much the clock here is ahead of the database's, milliseconds. */
  readonly clockOffMs: number;
}

const SECOND_MS = 1_000;

/** For a database that several processes can share. */
export function addSharingLevels(registry: Registry, sharing: SharingLevels): void {
  const registers = [registry];
  new Gauge({
    name: 'homeport_connector_has_database',
    help: '1 where this process has the database and serves; 0 where it waits until the one that has it ends.',
    registers,
    collect() {
      this.set(sharing.hasSlot ? 1 : 0);
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
