import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog, startXterm, type XDesktop } from '../../harness/start-termprog.ts';
import { openTerminalSocket } from '../../harness/terminal-socket.ts';
import { answeredQuestions, COLORS, LABELS, SIZES, WRITTEN_QUESTIONS } from './permission-questions.ts';
import { countColor } from './pixels.ts';

for (const [resources, expected] of [
  [{}, [...SIZES, ...COLORS, 'GetTcap']],
  [{ allowWindowOps: 'true' }, [...SIZES, ...LABELS, ...COLORS, 'GetTcap', 'GetChecksum']],
] as const) {
  const written = Object.entries(resources).map(([name, value]) => `${name}: ${value}`);
  test(`with ${written.join('; ') || 'the defaults'}, these are answered: ${expected.join(' ')}`, async ({
    desktop,
  }) => {
    verifies('termprog.resource.allowWindowOps');
    expect((await answeredQuestions(desktop, resources)).toSorted()).toEqual([...expected].toSorted());
  });
}

for (const [resources, isSet] of [
  [[], true],
  [['-xrm', '*allowColorOps: false'], false],
  [['-xrm', '*allowColorOps: false', '-xrm', '*disallowedColorOps: Get*'], true],
] as const) {
  test(`a background set by OSC 11 ${isSet ? 'shows' : 'does not show'} with "${resources.join(' ')}"`, async ({
    desktop,
  }) => {
    const script = "printf '\\033]11;#123456\\007\\033[41m     \\033[m'; sleep 60";
    await using terminal = await startTermprog(desktop, { args: [...resources], script });
    await waitFor('the text shows', async () => countColor(await terminal.screenshot(), 0xcd0000) > 100);
    await waitFor(
      'the background is what it should be',
      async () => countColor(await terminal.screenshot(), isSet ? 0x123456 : 0xffffff) > 10_000,
    );
  });
}

/** All that is refused, by lists alone. */
const ALL_REFUSED = [
  ...['allowWindowOps', 'allowColorOps', 'allowTcapOps', 'allowFontOps'].map((name) => `*${name}: false`),
  ...['Window', 'Color', 'Tcap', 'Font'].map((kind) => `*disallowed${kind}Ops: *`),
].flatMap((resource) => ['-xrm', resource]);

/** The answers to each of the questions, and to the one about the terminal's state that follows it. */
async function answersOf(desktop: XDesktop, start: typeof startXterm): Promise<string[]> {
  await using socket = await openTerminalSocket(desktop.folder);
  await using _terminal = await start(desktop, { args: [...ALL_REFUSED, '-e', ...socket.command] });
  const answers: string[] = [];
  for (const question of [...WRITTEN_QUESTIONS, '\x1b]50;?\x07', '\x1b]5;0;?\x07', '\x1b]19;?\x07'])
    answers.push(await socket.ask(`${question}\x1b[5n`, (answer) => answer.endsWith('\x1b[0n')));
  return answers;
}

test('refused questions but those for a selection have no answer, as in the reference terminal, and the next question has its own', async ({
  desktop,
}) => {
  const answers = await answersOf(desktop, startTermprog);
  expect(answers).toEqual(answers.map(() => '\x1b[0n'));
  expect(answers).toEqual(await answersOf(desktop, startXterm));
});
