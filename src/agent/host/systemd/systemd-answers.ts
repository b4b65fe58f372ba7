/** Fields that a timer adds to the state of its unit. Times are Unix seconds; 0 means no such time. */
export interface TimerState {
  /** The unit it starts. */
  service: string;
  running: boolean;
  /** Exit status of the newest run; 0 also before the first one. A signal's number when a signal ended it. */
  exitStatus: number;
  lastRun: number;
  nextRun: number;
}

/** The service manager's words for the state of one unit; empty where its type lacks that property. */
export interface UnitState extends Partial<TimerState> {
  load: string;
  active: string;
  sub: string;
  result: string;
}

/** A unit's state, or why it is unknown. */
export type UnitAnswer = UnitState | { problem: string };

/**
 * systemd, of the machine or of a user. Implementations reach it over a bus, by systemctl, or through another process.
 */
export interface Systemd {
  /** Names of the units in failed state. @throws AppError */
  failedUnits(): Promise<string[]>;
  /**
   * One answer per name, in their order.
   * @param names valid ones @throws AppError when the manager can't be asked at all
   */
  unitAnswers(names: readonly string[]): Promise<UnitAnswer[]>;
  close(): void;
}
