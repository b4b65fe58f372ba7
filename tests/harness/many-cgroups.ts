import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { CgroupTree } from '../../src/agent/host/cgroup-tree.ts';

/**
 * Control groups as of a slice with this many services, named after this process; the kernel's own. They go with the result.
 * @throws Error where this account may not make them, or the kernel has no memory controller for them
 */
export function makeServiceGroups(count: number): Disposable {
  const tree = new CgroupTree('/sys');
  const { isUnified } = tree;
  tree.close();
  const root = isUnified ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory';
  const slice = `${root}/homeport-many-${process.pid}.slice`;
  mkdirSync(slice);
  if (isUnified) writeFileSync(`${slice}/cgroup.subtree_control`, '+memory');
  const folders = Array.from({ length: count }, (_, index) => `${slice}/many-${process.pid}-${index}.service`);
  for (const folder of folders) mkdirSync(folder);
  return {
    [Symbol.dispose]: () => {
      for (const folder of [...folders, slice]) rmdirSync(folder);
    },
  };
}
