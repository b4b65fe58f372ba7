/**
 * main.ts soak [--accounts N] [--channels N] [--members N] [--lines N] [--minutes N] [--seed N] [--logs FOLDER] [--json]
 * Runs three connector processes behind a balancer, disturbs everything around them, and compares what was seen on IRC with
 * what accounts have. Ends with status 1 when something must not be.
 */
import { randomInt } from 'node:crypto';
import { parametersOf } from './parameters.ts';
import { reportOf } from './report.ts';
import { run } from './run.ts';

const SEEDS = 1_000_000;
const [, , , ...words] = process.argv;
const parameters = parametersOf(words, () => randomInt(1, SEEDS));
const began = performance.now();
const notice = (text: string): void => {
  console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
};
notice(`seed ${parameters.seed}`);
const outcome = await run(parameters, notice);
if (parameters.json) console.log(JSON.stringify({ program: 'soak', ...outcome }, null, 2));
else for (const line of reportOf(outcome)) console.log(line);
if (outcome.violations.length > 0) process.exitCode = 1;
