import { afterAll, beforeAll, expect } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';

const wholeMachine = needs('systemd containers', 'overlay file systems');

/** Files that this machine may lack: a source for each section that reads files. */
const sources = {
  'usr/lib/modules/6.1.0-31-amd64/modules.dep': '',
  'usr/lib/modules/6.1.0-9-amd64/modules.dep': '',
  'var/lib/dpkg/status': 'Package: base-files\nStatus: install ok installed\n\n',
  'home/ada/note': '',
};

/** Counts that go on between two reports, and what the two see with different rights. */
const CHANGING = ['time', 'uptimeSec', 'load', 'memory', 'counters', 'disks', 'units'];

let machine: AgentMachine;

beforeAll(async () => {
  if (has('systemd containers') && has('overlay file systems')) machine = await bootAgentMachine(sources, true);
});

afterAll(() => machine?.[Symbol.asyncDispose]());

wholeMachine('as a service the agent reports each section that it reports as root, with the same content', async () => {
  const installed = await machine.homeport('install-units');
  expect(installed.complaint).toBe('');

  const served = await machine.report();
  const printed = hostReport.parse(JSON.parse((await machine.homeport('report', '--json')).output));

  expect(served.errors).toEqual(printed.errors);
  expect(Object.keys(served).toSorted()).toEqual(Object.keys(printed).toSorted());
  for (const section of CHANGING) delete (served as Record<string, unknown>)[section];
  expect(printed).toMatchObject(served);
  expect(served).toMatchObject({ kernel: { newest: '6.1.0-31-amd64' }, packages: { manager: 'dpkg' } });
  expect(served.errors).not.toHaveProperty('kernel');
});

wholeMachine(
  'as a service the agent counts as many disks, units, CPUs, disk devices and interfaces as root',
  async () => {
    await machine.homeport('install-units');

    const served = await machine.report();
    const printed = hostReport.parse(JSON.parse((await machine.homeport('report', '--json')).output));

    const names = ({ disks, units, counters }: typeof served) => ({
      disks: disks?.map(({ device, mount }) => `${device} ${mount}`),
      units: units?.map(({ unit }) => unit),
      cpus: counters?.cpu?.map(({ cpu }) => cpu),
      devices: counters?.disks?.map(({ device }) => device),
      interfaces: counters?.net?.map(({ device }) => device),
      vmstat: Object.keys(counters?.vmstat ?? {}),
      pressure: Object.keys(counters?.pressure ?? {}),
    });
    expect(names(served)).toEqual(names(printed));
  },
);
