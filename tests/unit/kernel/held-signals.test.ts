import { afterEach, expect, test } from 'vitest';
import { HeldSignals } from '../../../src/kernel/held-signals.ts';

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const;
const before = Object.fromEntries(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

afterEach(() => {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!before[signal]?.includes(listener)) process.off(signal, listener);
    }
  }
});

test('several SIGHUP before the service can reload are one reload, each later one is another', () => {
  const signals = new HeldSignals();
  signals.hold();
  process.emit('SIGHUP', 'SIGHUP');
  process.emit('SIGHUP', 'SIGHUP');
  let reloads = 0;

  signals.onHangup(() => {
    reloads += 1;
  });

  expect(reloads).toBe(1);
  process.emit('SIGHUP', 'SIGHUP');
  expect(reloads).toBe(2);
});

test('without a SIGHUP no configuration is reloaded, and without `hold` no signal is caught', () => {
  const signals = new HeldSignals();
  let reloads = 0;

  signals.onHangup(() => {
    reloads += 1;
  });

  expect(reloads).toBe(0);
  expect(SIGNALS.map((signal) => process.listeners(signal))).toEqual(SIGNALS.map((signal) => before[signal]));
});
