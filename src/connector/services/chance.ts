import { randomInt } from 'node:crypto';

const STEPS = 1_000;

/** A number from 0 up to 1, for waits that must not be the same for all accounts. */
export const chance = (): number => randomInt(STEPS) / STEPS;
