import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startDemo } from '../../harness/start-demo.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test.each(['ergo', 'soju', 'identity provider', 'connector'])(
  'a demo that is interrupted after the start of %s leaves no trace',
  async (part) => {
    await using temporary = await tempFolder();
    const env = { TMPDIR: temporary.path, DISPLAY: undefined };
    const demo = startProcess({ name: 'demo', command: [process.execPath, 'scripts/demo/main.ts'], env });
    await waitFor('the part is up', () => demo.output().includes(part), { process: demo });

    demo.kill('SIGINT');

    expect(await demo.ended).toMatchObject({ exitCode: 130 });
    expect(demo.output()).not.toContain('npm start:');
    expect(readdirSync(temporary.path)).toEqual([]);
  },
);

for (const part of ['Xvfb', 'ergo', 'soju', 'identity provider', 'connector', 'agent']) {
  test(`Ctrl-C while the demo starts, with ${part} just begun, leaves no process`, async () => {
    await using demo = startDemo();
    await waitFor(`${part} has begun`, () =>
      demo.mark.alive().some((command) => command.toLowerCase().includes(part.replace(' ', '-').toLowerCase())),
    );

    demo.process.kill('SIGINT');

    await demo.process.ended;
    await waitFor('no process of the demo is left', () => demo.mark.alive().length === 0);
  });
}
