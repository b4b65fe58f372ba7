/** Something that this process alone does. */
export interface Claim {
  /** Calls `lost` when another process has taken it although this one did not release it. */
  onLost(lost: () => void): void;
  release(): Promise<void>;
}

/** Who does what, among the processes that share a database. */
export interface Claims {
  /** Keeps other processes from what has this name, until it is released or this process ends; undefined while one of them has it. */
  claim(name: string): Promise<Claim | undefined>;
}
