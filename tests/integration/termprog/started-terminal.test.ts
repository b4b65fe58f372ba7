import { expect, test } from 'vitest';
import { startTermprog, startXDesktop } from '../../harness/start-termprog.ts';

test('a terminal that another title was given is found by its process', async () => {
  await using desktop = await startXDesktop();
  await using other = await startTermprog(desktop, { args: ['-title', 'another'] });
  await using titled = await startTermprog(desktop, { args: ['-title', 'another'] });

  expect(await desktop.run('xprop', '-id', String(titled.window), '_NET_WM_PID')).toContain(
    `= ${titled.process.pid}\n`,
  );
  expect(titled.window).not.toBe(other.window);
});

test('each server of several has its own number for the name by which it is found', async () => {
  for (const names of [['_A', '_B', '_C'], []]) {
    await using desktop = await startXDesktop();
    for (const name of names) await desktop.run('xprop', '-root', '-f', name, '8s', '-set', name, 'x');
    await using titled = await startTermprog(desktop, { args: ['-title', 'another'] });
    expect(titled.window).toBeGreaterThan(0);
  }
});
