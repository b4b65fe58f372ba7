import { expect, test } from 'vitest';
import { patterns } from '../../../../scripts/english/patterns.ts';
import { sentencesOf } from '../../../../scripts/english/sentences.ts';

test('the sentences of a docstring are found with their lines, without tags and code', () => {
  const source = `
/**
 * Sends a line to the server. It waits
 * for the answer, e.g. a number.
 *
 * A second paragraph without an end
 * @param line as the server takes it
 * @throws SendError when the server refuses it
 * @see RFC 9728 §3.1
 */
const text = 'not // a comment of its own';
`;

  expect(sentencesOf(source)).toEqual([
    { text: 'Sends a line to the server.', line: 3 },
    { text: 'It waits for the answer, e.g. a number.', line: 3 },
    { text: 'A second paragraph without an end', line: 6 },
    { text: 'as the server takes it', line: 7 },
    { text: 'when the server refuses it', line: 8 },
  ]);
});

test('lines of a comment that follow each other are one text, and those apart are not', () => {
  const source = `
  // The server may be slow, and the
  // client does not wait.
  call();
  // Another comment of the file.
`;

  expect(sentencesOf(source)).toEqual([
    { text: 'The server may be slow, and the client does not wait.', line: 2 },
    { text: 'Another comment of the file.', line: 5 },
  ]);
});

test.each([
  ['nobody, nothing, none, neither', 'Returns when nothing is left.'],
  ['tell, told', 'The owner is told what happened.'],
  ['somebody, whoever, whatever', 'Ends whatever the unit has started.'],
  ['begins with Of, By, As, In, For', 'Of the lines the newest is kept.'],
  ['begins with What, Who, How', 'What the server answered to a line.'],
])('the pattern "%s" finds its sentences and leaves a plain one', (name, sentence) => {
  const { matches } = patterns.find((pattern) => pattern.name === name) ?? { matches: /$^/ };

  expect(matches.test(sentence)).toBe(true);
  expect(matches.test('Keeps the newest line of each channel.')).toBe(false);
});
