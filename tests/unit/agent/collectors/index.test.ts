import { expect, test } from 'vitest';
import { agentConfig, collectionConfig } from '../../../../schemas/agent.ts';
import { openCollectors } from '../../../../src/agent/collectors/index.ts';

/** What a configuration with these members of `agent` reports. */
function collectedBy(agent: object): { sections: string[]; names: string[] } {
  const config = agentConfig.parse({ agent: { tokenFile: '/token', ...agent } });
  const collectors = openCollectors()(config);
  return {
    sections: [...new Set(collectors.flatMap(({ sections }) => sections))],
    names: collectors.map(({ name }) => name),
  };
}

test('an empty configuration reports what none does: all but what has to be asked for', () => {
  const always = ['uptimeSec', 'load', 'cpus', 'counters', 'memory', 'disks', 'failedUnits'];
  const installed = ['os', 'system', 'kernel', 'packages'];

  expect(collectedBy({}).sections.sort()).toEqual([...always, ...installed, 'wireguard', 'units'].sort());
  expect(collectedBy({}).names).toEqual(openCollectors()(collectionConfig.parse({})).map(({ name }) => name));
});

for (const section of ['wireguard', 'postfix', 'knot']) {
  test(`${section} is reported exactly where the configuration says so`, () => {
    expect(collectedBy({ [section]: true }).sections).toContain(section);
    expect(collectedBy({ [section]: false }).sections).not.toContain(section);
  });
}

test('the metric with the host name is there on request alone', () => {
  expect(collectedBy({}).names).not.toContain('uname');
  expect(collectedBy({ unameInfo: true }).names).toContain('uname');
});

test('each collector has a label of its own', () => {
  const { names } = collectedBy({ postfix: true, knot: true, unameInfo: true });

  expect(new Set(names).size).toBe(names.length);
});

test('a reload keeps the collectors that remember their last readings', () => {
  const collectorsFor = openCollectors();
  const config = collectionConfig.parse({});
  const remembering = () => collectorsFor(config).filter(({ name }) => ['cpu', 'pressure'].includes(name));

  const before = remembering();

  expect(before).toHaveLength(2);
  expect(remembering().every((collector, index) => collector === before[index])).toBe(true);
});
