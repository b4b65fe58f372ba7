/**
 * connector-reader.ts SIDES
 * Reads and searches at the connector and at soju, and prints the times as JSON. It is a process of its own: the
 * benchmark's has written a million entries, and its collections would be counted as theirs.
 */
import { compareReading, type Sides } from './connector-reading.ts';

console.log(JSON.stringify(await compareReading(JSON.parse(process.argv[2] ?? '') as Sides)));
