import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';

test('changes of the screen and of the resolution of fonts are told of once each', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('sh', '-c', "echo 'Xft.dpi: 96' | xrdb -merge");
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-log', 'info'] });
  const tells = (line: string): Promise<unknown> =>
    waitFor(`it tells: ${line}`, () => terminal.process.output().includes(`termprog: info: ${line}\n`));
  // Until it watches, a change is none.
  await waitFor('it watches the screen', async () => {
    await desktop.run('sh', '-c', "echo 'Xft.dpi: 97' | xrdb -merge; echo 'Xft.dpi: 96' | xrdb -merge");
    return terminal.process.output().includes('Xft.dpi');
  });

  await desktop.run('sh', '-c', "echo 'Xft.dpi: 144' | xrdb -merge");
  await tells('Xft.dpi is now 144, and was 96; fonts keep their sizes');
  await desktop.run('sh', '-c', "echo '*unrelated: 1' | xrdb -merge");
  const lines = ['*dpi: 96', '?.dpi: 97', 'Other.dpi: 98', 'Xft.dpi: 99', 'Xft.dpi: 144 ', '*dpi: 95'];
  await desktop.run('xprop', '-root', '-f', 'RESOURCE_MANAGER', '8s', '-set', 'RESOURCE_MANAGER', lines.join('\n'));
  await desktop.run('xrdb', '-remove');
  await tells('Xft.dpi is now unset, and was 144; fonts keep their sizes');
  await desktop.run('xrandr', '--dpi', '120');
  await tells('the screen now has 1280x1024 pixels on 270x216 mm; fonts keep their sizes');

  expect(terminal.process.output()).not.toContain('warning');
  expect(terminal.process.output().match(/the screen now/g)).toHaveLength(1);
  expect(terminal.process.output().match(/was 144/g)).toHaveLength(1);
});
