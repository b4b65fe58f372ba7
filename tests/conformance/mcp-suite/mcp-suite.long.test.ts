import { afterAll, expect } from 'vitest';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { type BearerProxy, startBearerProxy } from '../../harness/bearer-proxy.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type Check, runSuite } from './run-suite.ts';
import { applicable, beyondUs, type Revision, skipped } from './scenarios.ts';

const REVISIONS = Object.keys(applicable) as Revision[];

const test = testWithStack();

let agent: Agent;
let proxy: BearerProxy;
const found = new Map<Revision, Map<string, Check[]>>();

test.beforeAll(async () => {
  agent = await connectAgent(stack, 'ada');
  // The suite can't be given a token.
  proxy = await startBearerProxy(stack.baseUrl, agent.accessToken);
  for (const revision of REVISIONS) found.set(revision, await runSuite(revision, `${proxy.url}/mcp`, stack.folder));
});

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
});

for (const revision of REVISIONS) {
  for (const scenario of applicable[revision]) {
    test(`the official suite finds no fault in its scenario ${scenario} of ${revision}`, () => {
      const checks = found.get(revision)?.get(scenario) ?? [];
      const faults = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');

      expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
      expect(faults.filter(({ id }) => beyondUs[id] === undefined)).toEqual([]);
    });
  }

  test(`every scenario of ${revision} is tried, or skipped by name`, () => {
    const named = new Set<string>([...applicable[revision], ...Object.values(skipped).flat()]);
    const scenarios = [...(found.get(revision)?.keys() ?? [])];

    expect(scenarios.length).toBeGreaterThan(30);
    expect(scenarios.filter((scenario) => !named.has(scenario))).toEqual([]);
  });
}

test('no check is excused, and no scenario skipped, that the suite does not have', () => {
  const all = [...found.values()].flatMap((scenarios) => [...scenarios]);
  const names = new Set(all.map(([scenario]) => scenario));
  const ids = new Set(all.flatMap(([, checks]) => checks.map(({ id }) => id)));

  expect(Object.keys(beyondUs).filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.values(skipped).flatMap((scenarios) => scenarios.filter((name) => !names.has(name)))).toEqual([]);
});
