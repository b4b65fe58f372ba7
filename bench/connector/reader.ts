/**
 * reader.ts SIDES
 * Reads and searches at the connector and at soju, and prints the times as JSON. It is a process of its own: the
 * benchmark itself has written a million entries, and its garbage collections would count as their time.
 */
import { compareReading, type Sides } from './reading.ts';

console.log(JSON.stringify(await compareReading(JSON.parse(process.argv[2] ?? '') as Sides)));
