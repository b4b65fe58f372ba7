import fc from 'fast-check';
import { expect, test } from 'vitest';
import { captureLine } from '../../../src/connector/bouncer/captured-line.ts';
import { sendRefusal } from '../../../src/connector/bouncer/send-refusal.ts';
import { SessionState } from '../../../src/connector/bouncer/session-state.ts';
import { formatLine, parseLine } from '../../../src/connector/irc/line.ts';

const word = fc.stringMatching(/^[!-9;-~][!-~]*$/);
const trailing = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n\0]/.test(text));

test('a line that was written is read as it was meant', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Z]{1,12}$/),
      fc.array(word, { maxLength: 5 }),
      trailing,
      trailing,
      (command, words, last, tag) => {
        const line = parseLine(formatLine(command, [...words, last], { '+homeport/id': tag }));
        expect(line.command).toBe(command);
        expect(line.params).toEqual([...words, last]);
        expect(line.tags['+homeport/id']).toBe(tag);
      },
    ),
  );
});

test('no sent text can become two lines', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('\r', '\n', '\0', '\r\nQUIT'), fc.string(), (before, breaker, after) => {
      expect(() => formatLine('PRIVMSG', ['#room', before + breaker + after])).toThrow(RangeError);
      expect(() => formatLine('PRIVMSG', [before + breaker + after, 'x'])).toThrow(RangeError);
    }),
  );
});

test('no line of a server makes the session fail', () => {
  const commands = fc.constantFrom(
    'PRIVMSG',
    'JOIN',
    'KICK',
    'MODE',
    'NICK',
    'PART',
    '005',
    '001',
    'BOUNCER',
    'FAIL',
    '404',
    'TOPIC',
  );
  const line = fc
    .tuple(fc.string(), commands, fc.string())
    .map(([before, command, after]) => `${before} ${command} ${after}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), line), (text) => {
      const parsed = parseLine(text);
      new SessionState('ada', 'main').take(parsed);
      captureLine(parsed, 'main', 'rfc1459');
      sendRefusal(parsed);
    }),
  );
});
