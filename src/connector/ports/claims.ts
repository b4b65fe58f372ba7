/**
 * Distinguishes a holder from all others. The number alone is not enough: a restored backup counts from an earlier one.
 */
export interface Fence {
  processId: string;
  fence: number;
}

/** Record of a process that may use the database beside the one that has the slot. */
export interface Entry {
  processId: string;
  /** Time of the record, by which a process that was entered anew is known; undefined while it is not entered. */
  since(): number | undefined;
  /** Called when the database had no such record: nothing was written. */
  refused(): void;
}

/** Exclusive right of this process. */
export interface Claim {
  /** Fence that each writing transaction compares; undefined if the claim is a lock of the database itself. */
  readonly fence?: Fence;
  /** Entry that each writing transaction compares, where the claim is not exclusive. */
  readonly entry?: Entry;
  /** The process that has the claim, by which others find its connections; by default that of the fence. */
  readonly processId?: string;
  /**
   * Calls `lost` with the reason when this process has permanently lost the claim without releasing it: another one has
   * taken it, or may take it.
   */
  onLost(lost: (why: string) => void): void;
  /** Whether no other process can have it now. While it is false, reads and writes are forbidden. */
  isTrusted(): boolean;
  /** Calls `doubted` each time the claim is no longer trusted. */
  onDoubt(doubted: () => void): void;
  release(): Promise<void>;
}

/** Claim for which the database can prove that it had no gap. */
export interface ProvableClaim extends Claim {
  /** Returns whether no other process can have had it since it was taken, even for a moment. */
  wasHeld(): Promise<boolean>;
}

/** Assigns exclusive work among the processes that share a database. */
export interface Claims {
  /** Claims a name until it is released or this process ends; undefined while another process has it. */
  claim(name: string): Promise<ProvableClaim | undefined>;
}
