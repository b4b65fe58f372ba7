import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPressureCollector, parsePressure } from '../../../../src/agent/collectors/pressure.ts';
import { UnreadableSourceError } from '../../../../src/agent/errors.ts';
import { hostWith } from '../../../harness/host-double.ts';

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'latin1');

const refusing = (code: string) => (path: string) => {
  throw new UnreadableSourceError(path, Object.assign(new Error(code), { code }));
};

test("the kernel's microseconds and averages are taken as they are", () => {
  expect(parsePressure(recording('pressure-io'), 'io')).toEqual({
    someTotalUs: 19194773,
    fullTotalUs: 13780907,
    someAvg60: 0.43,
    fullAvg60: 0.33,
  });
});

test('the CPU of an old kernel has no line full', () => {
  const [some = ''] = recording('pressure-cpu').split('\n');

  expect(parsePressure(`${some}\n`, 'cpu')).toEqual({
    someTotalUs: 217490418,
    fullTotalUs: 0,
    someAvg60: 5.37,
    fullAvg60: 0,
  });
});

for (const [why, text] of [
  ['is empty', ''],
  ['is cut before its second line', 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n'],
  ['is cut within a number', 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1'],
  ['has no numbers', 'some avg10=a avg60=b avg300=c total=d\nfull avg10=a avg60=b avg300=c total=d\n'],
] as const) {
  test(`pressure that ${why} is refused by name`, () => {
    expect(() => parsePressure(text, 'io')).toThrow(/^could not understand \/proc\/pressure\/io: expected a line/);
  });
}

for (const code of ['ENOENT', 'EOPNOTSUPP', 'ENOTSUP']) {
  test(`a kernel without pressure accounting, ${code}, has none to report, and that is not an error`, () => {
    const asked: string[] = [];
    const host = hostWith({
      readProc: (path) => {
        asked.push(path);
        return refusing(code)(path);
      },
    });
    const collector = createPressureCollector();

    for (let round = 0; round < 3; round += 1) {
      expect(collector.collect(host)).toEqual({ sections: {}, counters: {}, families: [] });
    }
    expect(asked).toEqual(['pressure/cpu', 'pressure/memory', 'pressure/io']);
  });
}

test('pressure that is there and cannot be read is an error', () => {
  expect(() => createPressureCollector().collect(hostWith({ readProc: refusing('EIO') }))).toThrow(
    'could not read pressure/cpu: EIO',
  );
});
