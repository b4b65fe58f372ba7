import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog } from '../../harness/start-termprog.ts';
import { answeredQuestions, COLORS, LABELS, SIZES } from './permission-questions.ts';
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
