import { expect, test } from 'vitest';
import { kernel } from '../../../../../src/agent/collectors/kernel.ts';
import { os } from '../../../../../src/agent/collectors/os.ts';
import { packages } from '../../../../../src/agent/collectors/packages.ts';
import { parseOsRelease } from '../../../../../src/agent/collectors/release/os-release.ts';
import { system } from '../../../../../src/agent/collectors/system.ts';
import type { Host } from '../../../../../src/agent/host/host.ts';
import { hostWith } from '../../../../harness/host-double.ts';

const files = (texts: Record<string, string>) => {
  const host = hostWith({});
  return { ...host, root: { ...host.root, read: async (path: string) => texts[path] } };
};

test('assignments are read as a shell reads them', () => {
  const text = [
    '# ID=comment',
    'ID=debian',
    "VERSION_ID='12'",
    'NAME="A \\"quoted\\" \\$name\\\\ \\`x\\` \\n"',
    'EMPTY=',
    'BARE=a\\ b',
    ' INDENTED=yes ',
    'HALF="open',
    'lower=no',
    'no assignment',
    '=nothing',
    'ID=last',
  ].join('\r\n');

  expect(parseOsRelease(text.replaceAll('\r', ''))).toEqual({
    ID: 'last',
    VERSION_ID: '12',
    NAME: 'A "quoted" $name\\ `x` \\n',
    EMPTY: '',
    BARE: 'a b',
    INDENTED: 'yes',
    HALF: '"open',
  });
});

test('the file of /etc wins over that of /usr/lib', async () => {
  const collected = await os.collect(files({ '/etc/os-release': 'ID=a\n', '/usr/lib/os-release': 'ID=b\n' }));

  expect(collected).toMatchObject({ sections: { os: { id: 'a' } } });
});

test('a machine that does not say what it is is some Linux', async () => {
  expect(await os.collect(files({}))).toEqual({
    sections: { os: { id: 'linux', versionId: '', name: 'Linux' } },
    families: [],
  });
});

test('collectors that ask at the same moment share one look at the file, and the next collection looks again', async () => {
  let text = 'ID=debian\n';
  const looks: string[] = [];
  const host = hostWith({});
  const root: Host['root'] = {
    read: async (path) => {
      looks.push(path);
      return text;
    },
    linkTarget: async () => undefined,
    has: async () => false,
    changedSec: async () => undefined,
    names: async () => [],
  };
  const collect = () =>
    Promise.all(
      [os, packages, kernel, system].map((each) => each.collect({ ...host, root, readProc: () => '6.1.0\n' })),
    );

  const [first] = await collect();
  expect(looks).toEqual(['/etc/os-release']);
  text = 'ID=nixos\n';
  const [second] = await collect();

  expect([first, second].map((found) => found?.sections.os?.id)).toEqual(['debian', 'nixos']);
});
