import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { units } from '../../../../src/agent/collectors/units.ts';
import { CgroupTree } from '../../../../src/agent/host/cgroup-tree.ts';
import { hostWith } from '../../../harness/host-double.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const files = {
  v2: { marker: 'cgroup.controllers', below: '', bytes: 'memory.current', maxBytes: 'memory.max' },
  v1: { marker: 'x', below: 'memory', bytes: 'memory.usage_in_bytes', maxBytes: 'memory.limit_in_bytes' },
} as const;

const sectionsOf = async (cgroups: CgroupTree) => {
  const { sections, problems } = await units.collect(hostWith({ cgroups }));
  return { units: sections.units, problems };
};

test('services are found in slices within slices, by the names of their units, and not within each other', async () => {
  const groups = {
    'system.slice/b.service': ['2', 'max'],
    'system.slice/system-a.slice/a@x.service': ['1', '10'],
    'system.slice/_memory.service': ['3', 'max'],
    'system.slice/b.service/c.service': ['9', 'max'],
    'user.slice/user-1.slice/user@1.service': ['4', 'max'],
    'user.slice/user-1.slice/session-1.scope': ['9', 'max'],
    'docker/x.service': ['9', 'max'],
    'system.slice/not a unit.service': ['9', 'max'],
    'system.slice/template@.service': ['9', 'max'],
  } as const;

  await withGroups('v2', groups, async (tree, folder) => {
    // The kernel has no such files; a copied tree may.
    for (const file of ['file.slice', 'file.service']) writeFileSync(join(folder, file), '');
    expect(await sectionsOf(tree)).toEqual({
      units: [
        { unit: 'a@x.service', bytes: 1, maxBytes: 10 },
        { unit: 'b.service', bytes: 2 },
        { unit: 'memory.service', bytes: 3 },
        { unit: 'user@1.service', bytes: 4 },
      ],
      problems: [],
    });
  });
});

test('the first version of control groups has its own files, and spells no limit as a huge one', async () => {
  const groups = {
    'system.slice/a.service': ['1', '9223372036854771712'],
    'system.slice/b.service': ['2', '9223372036854710272'],
    'system.slice/c.service': ['3', '67108864'],
  } as const;

  await withGroups('v1', groups, async (tree) => {
    expect((await sectionsOf(tree)).units).toEqual([
      { unit: 'a.service', bytes: 1 },
      { unit: 'b.service', bytes: 2 },
      { unit: 'c.service', bytes: 3, maxBytes: 67_108_864 },
    ]);
  });
});

test('a service without accounting, and one that stopped meanwhile, are passed over in silence', async () => {
  const groups = {
    'system.slice/a.service': [],
    'system.slice/b.service': ['2'],
    'system.slice/c.service': ['3'],
  } as const;

  await withGroups('v2', groups, async (tree, root) => {
    const listed = tree.services();
    rmSync(join(root, 'system.slice/c.service'), { recursive: true });

    expect(listed.groups.map((group) => [group.unit, tree.read(group, 'memory.current')])).toEqual([
      ['a.service', undefined],
      ['b.service', '2\n'],
      ['c.service', undefined],
    ]);
    expect(await sectionsOf(tree)).toEqual({ units: [{ unit: 'b.service', bytes: 2 }], problems: [] });
  });
});

test('a value that is not a number is an error of the section', async () => {
  await withGroups('v2', { 'system.slice/a.service': ['lots'] }, async (tree) => {
    expect(await sectionsOf(tree)).toEqual({
      units: undefined,
      problems: ['a.service: could not understand memory.current: expected a number of bytes'],
    });
  });
});

test('the first thousand services are reported, and that there are more', async () => {
  const groups = Object.fromEntries(
    Array.from({ length: 1_002 }, (_, index) => [`system.slice/u${index}.service`, ['1'] as const]),
  );

  await withGroups('v2', groups, async (tree) => {
    const { units: found, problems } = await sectionsOf(tree);

    expect(found).toHaveLength(1_000);
    expect(problems).toEqual([expect.stringMatching(/more control groups/)]);
  });
});

test('slices are followed to a depth, and a machine without control groups has no services', async () => {
  const deep = (levels: number) => `${Array.from({ length: levels }, () => 'a.slice').join('/')}/x.service`;
  await withGroups('v2', { [deep(9)]: ['1'] }, async (tree) => expect(tree.services().groups).toEqual([]));
  await withGroups('v2', { [deep(8)]: ['1'] }, async (tree) => expect(tree.services().groups).toHaveLength(1));

  expect(await sectionsOf(new CgroupTree('/nowhere'))).toEqual({ units: [], problems: [] });
});

test('services whose memory cannot be read cost their own lines alone, and are named', async () => {
  const groups = {
    'system.slice/a.service': ['1', 'max'],
    'system.slice/closed.service': [],
    'system.slice/strange.service': ['many', 'max'],
    'system.slice/z.service': ['2', 'max'],
  } as const;

  await withGroups('v2', groups, async (tree, folder) => {
    mkdirSync(join(folder, 'system.slice/closed.service/memory.current'));

    expect(await sectionsOf(tree)).toEqual({
      units: [
        { unit: 'a.service', bytes: 1 },
        { unit: 'z.service', bytes: 2 },
      ],
      problems: [
        expect.stringMatching(/^closed\.service: could not read .*memory\.current: EISDIR/),
        'strange.service: could not understand memory.current: expected a number of bytes',
      ],
    });
  });
});

test('three of many services whose memory cannot be read are named', async () => {
  const groups = Object.fromEntries(
    Array.from({ length: 10 }, (_, id) => [`system.slice/${id}.service`, ['many', 'max'] as const]),
  );

  await withGroups('v2', groups, async (tree) => {
    expect((await sectionsOf(tree)).problems).toEqual([
      expect.stringMatching(/^0\.service/),
      expect.stringMatching(/^1\.service/),
      expect.stringMatching(/^2\.service/),
      '7 more could not be read',
    ]);
  });
});

/** A sysfs of which only this is there; groups are path -> [bytes, limit]. */
async function withGroups(
  version: keyof typeof files,
  groups: Record<string, readonly [bytes?: string, maxBytes?: string]>,
  use: (tree: CgroupTree, folder: string) => void | Promise<void>,
): Promise<void> {
  await using sysfs = await tempFolder();
  const { marker, below, bytes, maxBytes } = files[version];
  const root = join(sysfs.path, 'fs/cgroup');
  mkdirSync(join(root, below), { recursive: true });
  writeFileSync(join(root, marker), '');
  for (const [path, [used, limit]] of Object.entries(groups)) {
    const folder = join(root, below, path);
    mkdirSync(folder, { recursive: true });
    if (used !== undefined) writeFileSync(join(folder, bytes), `${used}\n`);
    if (limit !== undefined) writeFileSync(join(folder, maxBytes), `${limit}\n`);
  }
  const tree = new CgroupTree(sysfs.path);
  await use(tree, join(root, below));
  tree.close();
}
