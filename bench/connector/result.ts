/** One figure of both. */
export interface BenchResult {
  what: string;
  unit: string;
  connector: number;
  peer: number;
  goal: string;
}
