import { Gauge, type Registry } from 'prom-client';

/** What a process knows of itself among those that share the database. */
export interface SharingLevels {
  /** Who has the database, and since when by its clock, milliseconds since 1970; undefined until that was seen. */
  readonly holder: { takenAt: number } | undefined;
  /** By how much the clock here is ahead of the database's, milliseconds. */
  readonly clockOffMs: number;
}

const SECOND_MS = 1_000;

/** For a database that several processes can share. */
export function addSharingLevels(registry: Registry, sharing: SharingLevels): void {
  const registers = [registry];
  new Gauge({
    name: 'homeport_connector_database_taken_timestamp_seconds',
    help: 'Since when this process has the database, as Unix time by the clock of the database.',
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
