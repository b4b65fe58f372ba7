import type { Request } from 'express';
import { expect, test } from 'vitest';
import { createLimits, type Limits } from '../../../../src/connector/http/request-limits.ts';

const PER_ADDRESS = 600;

const from = (ip: string) => ({ ip }) as Request;

for (const [processCount, requests, registrations] of [
  [1, 600, 30],
  [2, 300, 15],
  [3, 200, 10],
  [7, 85, 4],
] as const) {
  test(`each of ${processCount} processes lets an address make its part of the requests and registrations of a minute`, () => {
    const limits = limitsOf(() => processCount);

    expect(countOf((req) => limits.countStranger(req))).toBe(requests);
    expect(countOf((req) => limits.countRegistration(req))).toBe(registrations);
    const guesses = countOf((req) => {
      limits.refuseGuesser(req);
      limits.countWrongGuess(req);
    });
    expect(guesses).toBe(requests);
  });
}

test('a process that begins or ends to serve changes the parts of all others at once', () => {
  let processCount = 2;
  const limits = limitsOf(() => processCount);
  expect(countOf((req) => limits.countStranger(req))).toBe(300);

  processCount = 1;

  // The refused request has counted, too.
  expect(countOf((req) => limits.countStranger(req))).toBe(299);
});

/** Limits of one of so many processes; the number may change. */
function limitsOf(processes: () => number): Limits {
  return createLimits({
    limits: () => ({ perClient: 6_000, perAddress: PER_ADDRESS }),
    now: () => 1_000_000,
    processes,
  });
}

/** Returns how often an address may do this. */
function countOf(act: (req: Request) => void, ip = '192.0.2.1'): number {
  for (let count = 0; count <= PER_ADDRESS; count += 1) {
    try {
      act(from(ip));
    } catch {
      return count;
    }
  }
  return Number.POSITIVE_INFINITY;
}
