import { processorMsOf } from '../../tests/harness/processor-time.ts';
import { quantile } from '../quantile.ts';
import { type Call, type Times, ToolClient, timesOf } from './client.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;

/** Address and token for calls of tools. */
export interface Door {
  baseUrl: string;
  token: string;
}

/** A server, and the calls that several clients make there in turn, all at once. */
export interface Side {
  door: Door;
  calls: readonly Call[];
  /** Process id of the server, if its processor time is wanted. */
  pid?: number;
}

/** Calls that several clients make in turn, all at once, at two servers. */
export interface Contest {
  connector: Side;
  bare: Side;
  clients: number;
  rounds?: number;
}

export interface CallFigures extends Times {
  perSecond: number;
}

export interface ContestResult {
  connector: CallFigures;
  bare: CallFigures;
}

/** One server, called for a while. */
export interface Round {
  seconds: number;
  latenciesMs: number[];
  /** Processor time of the server; 0 when its process is unknown. */
  processorMs: number;
}

/** Plays rounds of one server and of the other by turns, so that other load on the machine affects both. */
export async function play(contest: Contest): Promise<ContestResult> {
  const [ours, theirs] = await playRounds(contest);
  return { connector: figuresOf(ours), bare: figuresOf(theirs) };
}

/** The rounds of each side, in order. Each side begins as often as the other. */
export async function playRounds({ connector, bare, clients, rounds = ROUNDS }: Contest): Promise<[Round[], Round[]]> {
  const sides = [connector, bare].map((side) => ({
    side,
    client: new ToolClient(side.door.baseUrl, side.door.token, clients),
    played: [] as Round[],
  }));
  try {
    for (let number = 0; number <= rounds; number += 1) {
      for (const { side, client, played } of number % 2 === 0 ? sides : sides.toReversed()) {
        const round = await playRound(client, side, clients);
        // The first round only warms up the compilers.
        if (number > 0) played.push(round);
      }
    }
  } finally {
    for (const { client } of sides) client.close();
  }
  const [ours = [], theirs = []] = sides.map(({ played }) => played);
  return [ours, theirs];
}

async function playRound(client: ToolClient, { calls, pid }: Side, clients: number): Promise<Round> {
  const latenciesMs: number[] = [];
  let next = 0;
  const spent = (): number => (pid === undefined ? 0 : processorMsOf(pid));
  const [start, spentBefore] = [performance.now(), spent()];
  const worker = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      const call = calls[next % calls.length] as Call;
      next += 1;
      latenciesMs.push(await client.time(call));
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  return { seconds: (performance.now() - start) / 1_000, latenciesMs, processorMs: spent() - spentBefore };
}

function figuresOf(rounds: readonly Round[]): CallFigures {
  return {
    perSecond: quantile(rounds.map(rateOf), 0.5),
    ...timesOf(rounds.flatMap(({ latenciesMs }) => latenciesMs)),
  };
}

/** Calls per second. */
export const rateOf = ({ seconds, latenciesMs }: Round): number => latenciesMs.length / seconds;
