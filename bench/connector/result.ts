/** One figure of the connector and of its peer. */
export interface BenchResult {
  what: string;
  unit: string;
  connector: number;
  peer: number;
  goal: string;
}
