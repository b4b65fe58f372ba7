import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SystemdError } from '../../../src/agent/errors.ts';
import { decodeMessage, MessageStream } from '../../../src/agent/host/dbus/message.ts';
import { WireError, WireReader, WireWriter } from '../../../src/agent/host/dbus/wire.ts';
import { decodeAnswer, decodeQuestion } from '../../../src/agent/host/systemd/remote-protocol.ts';
import {
  parseShow,
  parseTimeSpan,
  parseTimestamp,
  parseUnitList,
  timerFacts,
} from '../../../src/agent/host/systemd/systemctl-output.ts';
import { timerState } from '../../../src/agent/host/systemd/timer-state.ts';
import { isUnitName } from '../../../src/agent/host/systemd/unit-name.ts';
import { encodeReturn } from '../../harness/fake-bus.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const RUNS = { numRuns: fuzzRuns(1000) };

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/systemd/${name}`, 'latin1');

/** The bytes with a few of them overwritten, and often without their end. */
const mutationOf = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(bytes.length))
    .map(([edits, length]) => {
      const mutant = Buffer.from(bytes);
      for (const [at, byte] of edits) mutant[at] = byte;
      return edits.length % 2 === 0 ? mutant : mutant.subarray(0, length);
    });

/** Expects that an attempt works, or fails with one of these errors. */
function survives(attempt: () => unknown, ...errors: (new (...args: never[]) => Error)[]): void {
  try {
    attempt();
  } catch (error) {
    expect(errors.some((expected) => error instanceof expected)).toBe(true);
  }
}

const list = encodeReturn(1, 'a(ssssssouso)', (body) =>
  body.array(8, () => {
    for (const text of ['a.service', '', 'loaded', 'failed', 'failed', '', '/u']) body.string(text);
    body.uint32(0);
    for (const text of ['', '/']) body.string(text);
  }),
);

test('damaged messages are read or refused, never more', () => {
  fc.assert(
    fc.property(mutationOf(list), (mutant) => {
      survives(() => decodeMessage(mutant), WireError);
      survives(() => new MessageStream().push(mutant).map(decodeMessage), WireError);
    }),
    RUNS,
  );
});

test('the reader refuses any invalid signature and bytes, and does not throw anything else', () => {
  const signature = fc.string({ unit: fc.constantFrom(...'ybnqiuxtdsogvha(){}z'), maxLength: 40 });
  fc.assert(
    fc.property(signature, fc.uint8Array({ maxLength: 200 }), fc.boolean(), (types, bytes, littleEndian) => {
      survives(() => new WireReader(Buffer.from(bytes), littleEndian).values(types), WireError);
    }),
    RUNS,
  );
});

test('texts that are written are read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.string({ unit: 'grapheme' }), (texts, text) => {
      const writer = new WireWriter();
      writer.argument(text);
      writer.argument(texts);
      expect(new WireReader(writer.bytes(), true).values('sas')).toEqual([text, texts]);
    }),
    RUNS,
  );
});

test('damaged output of systemctl gives names that are names, and times that are times', () => {
  const [units, show] = [Buffer.from(recording('list-units-failed')), Buffer.from(recording('show'))];
  fc.assert(
    fc.property(mutationOf(units), mutationOf(show), (damagedUnits, damagedShow) => {
      survives(
        () => expect(parseUnitList(damagedUnits.toString()).filter((name) => !isUnitName(name))).toEqual([]),
        SystemdError,
      );
      for (const block of parseShow(damagedShow.toString())) {
        const state = timerState(timerFacts(block, block), { realtimeUs: 1e15, monotonicUs: 1e9 });
        for (const seconds of [state.lastRun, state.nextRun]) {
          expect(Number.isSafeInteger(seconds) && seconds >= 0).toBe(true);
        }
      }
    }),
    RUNS,
  );
});

test('any text of a time is read as a number of microseconds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), mutationOf(Buffer.from('Fri 2026-11-20 23:49:55 UTC'))), (text) => {
      expect(parseTimestamp(String(text))).toBeGreaterThanOrEqual(0);
      expect(parseTimeSpan(String(text))).toBeGreaterThanOrEqual(0);
    }),
    RUNS,
  );
});

test('the process of a user and the agent understand or refuse each other’s messages', () => {
  const answer = '{"units":[{"load":"a","active":"b","sub":"c","result":"d"},{"problem":"e"}]}';
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), mutationOf(Buffer.from(answer)), mutationOf(Buffer.from('{"units":["a.service"]}'))),
      (line) => {
        survives(() => decodeAnswer(String(line)), Error);
        survives(() => expect(decodeQuestion(String(line)).filter((name) => !isUnitName(name))).toEqual([]), Error);
      },
    ),
    RUNS,
  );
});
