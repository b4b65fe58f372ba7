/** Fails with a line for each package in the programs whose licence is not allowed or has no text. */
import { programs } from '../programs.ts';
import { licencesOf } from './write-licences.ts';

const faults = new Set<string>();
for (const program of programs) {
  try {
    await licencesOf(program);
  } catch (error) {
    for (const line of (error as Error).message.split('\n')) faults.add(line);
  }
}
if (faults.size > 0) {
  console.error([...faults].join('\n'));
  process.exitCode = 1;
}
