/** What distinguishes a holder from all others. The number alone does not: a restored backup counts from an earlier one. */
export interface Fence {
  processId: string;
  fence: number;
}

/** Something that this process alone does. */
export interface Claim {
  /** What the database compares in each transaction that writes; undefined where the claim is a lock of the database itself. */
  readonly fence?: Fence;
  /** Calls `lost` with the reason when this process has lost it for ever without releasing it: another one has taken it, or may take it. */
  onLost(lost: (why: string) => void): void;
  /** Whether no other process can have it now. While it is false, nothing may be read or written. */
  isTrusted(): boolean;
  /** Calls `doubted` each time when the claim is no longer trusted. */
  onDoubt(doubted: () => void): void;
  release(): Promise<void>;
}

/** A claim of which the database can say that it had no gap. */
export interface ProvableClaim extends Claim {
  /** Asks whether no other process can have had it since it was taken, not even for a moment. */
  wasHeld(): Promise<boolean>;
}

/** Who does what, among the processes that share a database. */
export interface Claims {
  /** Keeps other processes from what has this name, until it is released or this process ends; undefined while one of them has it. */
  claim(name: string): Promise<ProvableClaim | undefined>;
}
