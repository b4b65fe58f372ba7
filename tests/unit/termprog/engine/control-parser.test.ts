import { expect, test } from 'vitest';
import type { ControlFunction } from '../../../../src/termprog/engine/control-function.ts';
import { ControlParser } from '../../../../src/termprog/engine/control-parser.ts';
import { Screen } from '../../../../src/termprog/engine/screen.ts';
import { TerminalState } from '../../../../src/termprog/engine/terminal-state.ts';
import { IDENTITY, QUIET_HOST } from '../../../harness/terminal-engine.ts';

const fail = (): never => {
  throw new Error('broken');
};

for (const [kind, definition, sent] of [
  ['a control character', { kind: 'character', name: 'ENQ', codes: [5], run: fail }, '\x05'],
  ['an escape sequence', { kind: 'escape', name: 'IND', sequences: ['D'], run: fail }, '\x1bD'],
  ['its C1 form', { kind: 'escape', name: 'IND', sequences: ['D'], run: fail }, '\x84'],
  ['a control sequence', { kind: 'csi', name: 'CUU', sequences: ['A'], run: fail }, '\x1b[A'],
  ['a command', { kind: 'osc', name: 'title', numbers: [2], run: fail }, '\x1b]2;x\x07'],
  ['a device control string', { kind: 'dcs', name: 'DECRQSS', sequence: '$q', run: fail }, '\x1bP$qm\x1b\\'],
] as const satisfies readonly (readonly [string, ControlFunction, string])[]) {
  test(`a bug in ${kind} is reported, and the rest of the output is not lost`, () => {
    const runs: number[] = [];
    const next: ControlFunction = {
      kind: 'csi',
      name: 'next',
      sequences: ['p'],
      run: (_, given) => runs.push(given.at(0)),
    };
    const { failures, write } = start([definition, next]);
    write(`${sent}\x1b[7p`);
    expect(failures).toEqual([`${definition.name}: Error: broken`]);
    expect(runs).toEqual([7]);
  });
}

test('a bug in printing text is reported', () => {
  const { failures, write } = start([], fail);
  write('text');
  expect(failures).toEqual(['text: Error: broken']);
});

test('an invalid sequence can not be registered', () => {
  expect(() => start([{ kind: 'csi', name: 'bad', sequences: [''], run: () => {} }])).toThrow(
    '"" is not a control sequence',
  );
});

function start(functions: readonly ControlFunction[], print: () => number = () => 0) {
  const failures: string[] = [];
  const host = { ...QUIET_HOST, failed: (name: string, error: unknown) => void failures.push(`${name}: ${error}`) };
  const state = new TerminalState(new Screen({ columns: 20, rows: 5 }, 0), host, IDENTITY);
  const parser = new ControlParser(functions, state, { print });
  const write = (text: string): void => {
    const bytes = Buffer.from(text);
    parser.parse(bytes, 0, bytes.length);
  };
  return { failures, write };
}
