import { quantile } from '../quantile.ts';
import { type Call, type Times, ToolClient, timesOf } from './client.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;

/** Where tools are called. */
export interface Door {
  baseUrl: string;
  token: string;
}

/** Calls that several clients make in turn, all at once, at two servers. */
export interface Contest {
  connector: Door;
  bare: Door;
  calls: readonly Call[];
  clients: number;
}

export interface CallFigures extends Times {
  perSecond: number;
}

export interface ContestResult {
  connector: CallFigures;
  bare: CallFigures;
}

/** Rounds of one server and of the other by turns, so that what else the machine does concerns both. */
export async function play({ connector, bare, calls, clients }: Contest): Promise<ContestResult> {
  const sides = [connector, bare].map(({ baseUrl, token }) => ({
    client: new ToolClient(baseUrl, token, clients),
    rounds: [] as Round[],
  }));
  try {
    for (let number = 0; number <= ROUNDS; number += 1) {
      for (const { client, rounds } of sides) {
        const round = await playRound(client, calls, clients);
        // The first round only warms up the compilers.
        if (number > 0) rounds.push(round);
      }
    }
  } finally {
    for (const { client } of sides) client.close();
  }
  const [ours = [], theirs = []] = sides.map(({ rounds }) => rounds);
  return { connector: figuresOf(ours), bare: figuresOf(theirs) };
}

interface Round {
  seconds: number;
  latenciesMs: number[];
}

async function playRound(client: ToolClient, calls: readonly Call[], clients: number): Promise<Round> {
  const latenciesMs: number[] = [];
  let next = 0;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      const call = calls[next % calls.length] as Call;
      next += 1;
      latenciesMs.push(await client.time(call));
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  return { seconds: (performance.now() - start) / 1_000, latenciesMs };
}

function figuresOf(rounds: readonly Round[]): CallFigures {
  const rates = rounds.map(({ seconds, latenciesMs }) => latenciesMs.length / seconds);
  return { perSecond: quantile(rates, 0.5), ...timesOf(rounds.flatMap(({ latenciesMs }) => latenciesMs)) };
}
