import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentOf, startXDesktop } from '../../harness/start-termprog.ts';
import { startChild } from '../../unit/termprog/pty/open-pty.ts';

test('the terminal that it was started from keeps the settings that another program gave it meanwhile', async () => {
  await using desktop = await startXDesktop();
  const [started, go, settings] = [desktop.newFile(), desktop.newFile(), desktop.newFile()];
  const inner = `echo > ${started}; while [ ! -e ${go} ]; do sleep 0.02; done`;
  const { ended } = startChild(
    `${join('bin', 'termprog')} -e sh -c '${inner}' & while [ ! -e ${started} ]; do sleep 0.02; done
    stty raw -echo; echo > ${go}; wait $!; stty -a > ${settings}`,
    {
      environment: Object.entries({ ...process.env, ...desktop.environment }).map(
        ([name, value]) => `${name}=${value}`,
      ),
    },
  );

  await ended;

  expect(contentOf(settings)).toMatch(/ -icanon\b/);
  expect(contentOf(settings)).toMatch(/ -echo\b/);
});
