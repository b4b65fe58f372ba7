/**
 * caller.ts CONTEST
 * Calls tools at the connector and at the bare server, and prints the figures as JSON. It is a process of its own: the
 * garbage of what the benchmark did before would be collected in the middle of a call.
 */
import { type Contest, play } from './rounds.ts';

console.log(JSON.stringify(await play(JSON.parse(process.argv[2] ?? '') as Contest)));
