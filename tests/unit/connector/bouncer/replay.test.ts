import { expect, test, vi } from 'vitest';
import { type RawPage, Replay } from '../../../../src/connector/bouncer/replay.ts';
import { parseLine } from '../../../../src/connector/irc/line.ts';

const DEADLINE_MS = 30_000;
const TIME = 'time=2026-01-01T00:00:00.001Z';

test('both bounds are widened, because the bouncer leaves them out', () => {
  const { asked, written } = replay();

  asked.ask('#room', Date.UTC(2026, 0, 1));
  asked.close();

  expect(written).toEqual([
    'CHATHISTORY BETWEEN #room timestamp=2025-12-31T23:59:59.999Z timestamp=2099-01-01T00:00:00.000Z :1000',
  ]);
});

test('lines of the answer are not live lines, those of other batches and without one are', () => {
  const { asked, pages, take } = replay();
  asked.ask('#room', 0);

  expect(take('BATCH +7 chathistory #room')).toBe(true);
  expect(take(`@batch=7;${TIME} :bob PRIVMSG #room :old`)).toBe(true);
  expect(take(`@batch=8;${TIME} :bob PRIVMSG #room :of another batch`)).toBe(false);
  expect(take(`@${TIME} :bob PRIVMSG #room :live`)).toBe(false);
  expect(take('BATCH -8')).toBe(false);
  expect(take('BATCH -7')).toBe(true);

  expect(pages).toMatchObject([{ channel: '#room', lines: [{ params: ['#room', 'old'] }], next: undefined }]);
  expect(take(`@batch=7;${TIME} :bob PRIVMSG #room :late`)).toBe(false);
});

test('a refusal ends the request, and a request without an end is reported after half a minute', () => {
  vi.useFakeTimers();
  const { asked, told, take } = replay();
  asked.ask('#room', 0);
  take('FAIL CHATHISTORY MESSAGE_ERROR BETWEEN #room :Failed');
  asked.ask('#other', 0);
  take('BATCH +1 chathistory #other');

  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();

  expect(told).toEqual({ refused: ['#room'], timeouts: 1 });
});

function replay() {
  const written: string[] = [];
  const pages: RawPage[] = [];
  const told = { refused: [] as string[], timeouts: 0 };
  const events = {
    onPage: (page: RawPage) => pages.push(page),
    onRefused: (channel: string) => told.refused.push(channel),
    onTimeout: () => {
      told.timeouts += 1;
    },
  };
  const asked = new Replay((line) => written.push(line), events, DEADLINE_MS);
  return { asked, written, pages, told, take: (line: string) => asked.take(parseLine(line)) };
}
