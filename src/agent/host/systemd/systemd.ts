/** What a timer adds to the state of its unit. Times are Unix seconds; 0 means none. */
export interface TimerState {
  /** The unit it starts. */
  service: string;
  running: boolean;
  /** Of the newest run; 0 also before the first one. A signal's number when a signal ended it. */
  exitStatus: number;
  lastRun: number;
  nextRun: number;
}

/** Words of the service manager about one unit; empty where its type has none. */
export interface UnitState extends Partial<TimerState> {
  load: string;
  active: string;
  sub: string;
  result: string;
}

/** A unit's state, or why it could not be told. */
export type UnitAnswer = UnitState | { problem: string };

/** systemd, of the machine or of a user, however it is reached. */
export interface Systemd {
  /** Names of the units in failed state. @throws AppError */
  failedUnits(): Promise<string[]>;
  /** One answer per name, in their order. @param names valid ones @throws AppError when none can be told */
  unitAnswers(names: readonly string[]): Promise<UnitAnswer[]>;
  close(): void;
}
