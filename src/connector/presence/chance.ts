import { randomInt } from 'node:crypto';

const STEPS = 1_000;

/** A random number from 0 up to 1, so that accounts do not all wait for the same time. */
export const chance = (): number => randomInt(STEPS) / STEPS;
