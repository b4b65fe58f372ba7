/** What a part of the benchmark is run with. */
export interface BenchRun {
  /** Made for this run. */
  folder: string;
  /** 1 for the size of the goals. */
  scale: number;
  /** Absolute path of the checkout whose connector is measured, as it is built there. */
  checkout: string;
}
