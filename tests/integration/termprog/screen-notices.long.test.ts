import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';
import { openTestConnection } from '../../harness/test-connection.ts';

/** Predefined atoms; X11 protocol, Appendix B. */
const RESOURCE_MANAGER = 23;
const STRING = 31;

test('changes of the screen and of the resolution of fonts are logged once each', async () => {
  await using desktop = await startXDesktop();
  await desktop.run('sh', '-c', "echo 'Xft.dpi: 96' | xrdb -merge");
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-log', 'info'] });
  const tells = (line: string): Promise<unknown> =>
    waitFor(`it tells: ${line}`, () => terminal.process.output().includes(`termprog: info: ${line}\n`));
  // A change before it watches is not reported.
  let resolution = 96;
  await waitFor('it watches the screen', async () => {
    resolution += 1;
    await desktop.run('sh', '-c', `echo 'Xft.dpi: ${resolution}' | xrdb -merge`);
    return terminal.process.output().includes('Xft.dpi');
  });

  await desktop.run('sh', '-c', "echo 'Xft.dpi: 144' | xrdb -merge");
  await waitFor('it tells the last one', () => /is now 144, and was \d+; fonts/.test(terminal.process.output()));
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

test('few of thousands of changes are logged, and the last one is among them', async () => {
  await using desktop = await startXDesktop();
  await using connection = await openTestConnection(desktop);
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-log', 'info'] });
  const { client, screen } = connection.x;
  const set = (resolution: number): void =>
    client.ChangeProperty(0, screen.root, RESOURCE_MANAGER, STRING, 8, Buffer.from(`Xft.dpi: ${resolution}\n`));
  const isTold = (resolution: number): boolean => terminal.process.output().includes(`Xft.dpi is now ${resolution},`);
  let resolution = 100;
  await waitFor('it watches the resources', () => {
    resolution += 1;
    set(resolution);
    return terminal.process.output().includes('Xft.dpi');
  });

  const before = performance.now();
  for (let change = 1_000; change <= 4_000; change += 1) {
    set(change);
    await connection.x.ask<unknown>('all to be done', (x, reply) => x.GetInputFocus(reply));
  }
  await waitFor('it tells the last one', () => isTold(4_000));
  const tookMs = performance.now() - before;

  const told = terminal.process.output().match(/Xft\.dpi is now \d{4},/g) ?? [];
  expect(told.length).toBeLessThanOrEqual(1 + tookMs / 1_000);
});
