import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ControlFunction } from '../../../src/termprog/engine/control-function.ts';
import { ControlParser } from '../../../src/termprog/engine/control-parser.ts';
import { controlFunctions } from '../../../src/termprog/engine/functions/index.ts';
import { PARAMETER_MAX } from '../../../src/termprog/engine/limits.ts';
import type { Parameters as Dispatched } from '../../../src/termprog/engine/parameters.ts';
import { Screen } from '../../../src/termprog/engine/screen.ts';
import { TerminalState } from '../../../src/termprog/engine/terminal-state.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { IDENTITY, QUIET_HOST } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(300);

const sequences = controlFunctions.flatMap((definition) => (definition.kind === 'csi' ? definition.sequences : []));
const number = fc.oneof(
  fc.constantFrom('1000000000', '2147483648', '99999999999999999999999', '65536', '65535', ''),
  fc.nat({ max: 100_000 }).map(String),
);
const controlSequence = fc
  .tuple(
    fc.constantFrom('\x1b[', '\x9b'),
    fc.constantFrom(...sequences),
    fc.array(number, { minLength: 1, maxLength: 40 }),
    fc.constantFrom(';', ':'),
  )
  .map(([introducer, sequence, numbers, separator]) => {
    const [, prefix = '', rest = ''] = /^([<=>?]?)(.*)$/.exec(sequence) ?? [];
    return `${introducer}${prefix}${numbers.join(separator)}${rest}`;
  });
const opening = fc.constantFrom('', '\x1b]2;x', '\x1bP$q', '\x1b_', '\x1bX', '\x1b^');
/** DEL, C0 and C1, the latter as UTF-8 writes them; what begins, ends and cancels is among them. */
const inserted = fc.oneof(
  fc.constant('\x7f'),
  fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x80, max: 0x9f }).map((code) => String.fromCharCode(code)),
);

test('parameters stay within their bound in any sequence, however it is cut', () => {
  let dispatched = 0;
  fc.assert(
    fc.property(opening, controlSequence, inserted, (before, sequence, intruder) => {
      for (let at = 0; at <= sequence.length; at += 1) {
        const bytes = Buffer.from(`${before}${sequence.slice(0, at)}${intruder}${sequence.slice(at)}`, 'utf8');
        const whole = createObserverOnce();
        whole.write(bytes);
        const inBytes = createObserverOnce();
        for (let byte = 0; byte < bytes.length; byte += 1) inBytes.write(bytes.subarray(byte, byte + 1));
        expect(inBytes.seen).toEqual(whole.seen);
        // -1 stands for a sub-parameter that is left out.
        for (const value of whole.seen) expect(value >= -1 && value <= PARAMETER_MAX).toBe(true);
        dispatched += whole.seen.length;
      }
    }),
    { numRuns: RUNS },
  );
  expect(dispatched).toBeGreaterThan(RUNS);
});

const observers = { next: 0, all: [createObserver(), createObserver()] as const };

/** Building an observer costs more than a sequence; CAN brings one back to the ground. */
function createObserverOnce(): ReturnType<typeof createObserver> {
  observers.next = 1 - observers.next;
  const observer = observers.all[observers.next as 0];
  observer.write(Uint8Array.of(0x18, 0x18));
  observer.seen.length = 0;
  return observer;
}

/** Every control sequence of the terminal, which notes its parameters instead of doing anything. */
function createObserver() {
  const seen: number[] = [];
  const note = (parameters: Dispatched): void => {
    for (let index = 0; index < parameters.length; index += 1) {
      seen.push(parameters.at(index), parameters.count(index), ...(parameters.subParameters(index) ?? []));
    }
  };
  const observed = controlFunctions.map((definition): ControlFunction => {
    if (definition.kind === 'csi') {
      return { ...definition, run: (_state: TerminalState, parameters: Dispatched) => note(parameters) };
    }
    return definition.kind === 'dcs'
      ? { ...definition, run: (_state: TerminalState, _text: string, parameters: Dispatched) => note(parameters) }
      : { ...definition, run: () => {} };
  });
  const state = new TerminalState(new Screen({ columns: 20, rows: 5 }, 0), QUIET_HOST, IDENTITY);
  const parser = new ControlParser(observed, state, { print: () => 0 });
  return {
    seen,
    write: (bytes: Uint8Array): void => parser.parse(bytes, 0, bytes.length),
  };
}
