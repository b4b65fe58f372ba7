import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test.each(['ergo', 'soju', 'identity provider', 'connector'])(
  'a demo that is interrupted after the start of %s leaves nothing',
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
