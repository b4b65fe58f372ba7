import { setTimeout as delay } from 'node:timers/promises';
import type { Desktop } from './desktop.ts';
import { startTerminal, type TerminalName, terminalNames } from './terminals.ts';
import { startXProxy } from './x-proxy.ts';

/** Pause before the measurement: 8 s after the last output V8 collects garbage once, with a hundred wake-ups. */
const SETTLE_MS = 12_000;

export interface RestFigures {
  /** Resident memory with a full history. */
  residentMiB: number;
  roundTripsBeforeMap: number;
  wakeUps: number;
  requests: number;
}

/** Measures the cost of an idle terminal. */
export async function measureRest(desktop: Desktop, idleMs: number): Promise<Record<TerminalName, RestFigures>> {
  const figures = [];
  for (const name of terminalNames) figures.push([name, await measureOne(desktop, name, idleMs)]);
  return Object.fromEntries(figures);
}

async function measureOne(desktop: Desktop, name: TerminalName, idleMs: number): Promise<RestFigures> {
  await using proxy = await startXProxy(desktop.environment.DISPLAY);
  const script = `yes "$(printf '%079d' 7)" | head -n 2000; exec sleep 600`;
  await using terminal = startTerminal(name, script, { ...desktop.environment, DISPLAY: proxy.display });
  await delay(SETTLE_MS);
  const [wakeUps, { requests }] = [terminal.wakeUps(), proxy.traffic()];
  await delay(idleMs);
  const after = proxy.traffic();
  return {
    residentMiB: terminal.residentMiB(),
    roundTripsBeforeMap: after.roundTripsBeforeMap ?? Number.NaN,
    wakeUps: terminal.wakeUps() - wakeUps,
    requests: after.requests - requests,
  };
}
