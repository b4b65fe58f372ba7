/**
 * caller.ts CONTEST [rounds]
 * Calls tools at two servers, and prints the figures, or each round, as JSON. It is a process of its own: the garbage of
 * what the benchmark did before would be collected in the middle of a call.
 */
import { type Contest, play, playRounds } from './rounds.ts';

const [, , contest = '', form] = process.argv;
console.log(JSON.stringify(await (form === 'rounds' ? playRounds : play)(JSON.parse(contest) as Contest)));
