/** Parameters of a part of the benchmark. */
export interface BenchRun {
  /** Folder that is made for this run. */
  folder: string;
  /** Size of the data as a share of the size for which the goals hold. */
  scale: number;
  /** Absolute path of the checkout whose built connector is measured. */
  checkout: string;
}
