import { expect, test } from 'vitest';
import { collectionConfig } from '../../../../schemas/agent.ts';
import { openCollectors } from '../../../../src/agent/collectors/index.ts';
import { uname } from '../../../../src/agent/collectors/uname.ts';
import { hostWith } from '../../../harness/host-double.ts';

const files: Readonly<Record<string, string>> = {
  'sys/kernel/ostype': 'Linux\n',
  'sys/kernel/osrelease': '6.1.0-28-amd64\n',
  'sys/kernel/version': '#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)\n',
  'sys/kernel/hostname': 'h\u00c3\u00b6st\n',
  'sys/kernel/domainname': '(none)\n',
};

test('the kernel, the machine and its name are labels of one sample', async () => {
  const { families } = await uname.collect(hostWith({ readProc: (path) => files[path] ?? '' }));

  expect(families).toEqual([
    expect.objectContaining({
      name: 'node_uname_info',
      samples: [
        {
          value: 1,
          labels: {
            machine: 'x86_64',
            sysname: 'Linux',
            release: '6.1.0-28-amd64',
            version: '#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)',
            nodename: 'höst',
            domainname: '(none)',
          },
        },
      ],
    }),
  ]);
});

test('the host name is a label only on request', () => {
  expect(openCollectors()(collectionConfig.parse({})).map(({ name }) => name)).not.toContain('uname');
});
