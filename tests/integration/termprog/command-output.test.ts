import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { contentOf } from '../../harness/start-termprog.ts';
import { session, startMarked } from './marked-terminal.ts';

test('Control and Shift with g give the output of the last completed command to pipeCommandOutput', async ({
  desktop,
}) => {
  verifies(
    'termprog.resource.pipeCommandOutput',
    'termprog.action.pipe-command-output',
    'termprog.translation.Ctrl-Shift-KeyPress-g',
  );
  const file = desktop.newFile();
  const long = 'x'.repeat(50);
  const output = `one  \\r\\n${long}\\r\\n\\r\\n漢字 é\\r\\n`;
  await using terminal = await startMarked(desktop, session(output), `cat > ${file}.new; mv ${file}.new ${file}`, [
    '-geometry',
    '30x20',
  ]);
  expect(terminal.window).toBeGreaterThan(0);

  await desktop.run('xdotool', 'key', 'ctrl+shift+g');

  await waitFor('the output is there', () => contentOf(file) !== '');
  expect(contentOf(file)).toBe(`one\n${long}\n\n漢字 é\n`);
});
