import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentRequirements } from '../conformance/requirements/agent.ts';
import { readAgentRows } from '../conformance/requirements/agent-rows.ts';
import { readPageRows } from '../conformance/requirements/page-rows.ts';
import { provedRequirements } from '../conformance/requirements/proved.ts';
import { termprogRequirements } from '../conformance/requirements/termprog.ts';

const requirements = { ...agentRequirements, ...termprogRequirements };
const known: [id: string, spec: string][] = Object.entries(requirements).map(([id, { spec }]) => [id, spec]);
const notYetProved = readFileSync('tests/conformance/requirements/not-yet-proved', 'utf8').trimEnd().split('\n');
const proved = provedRequirements();

test('every row of the pages of the agent and of termprog is a requirement, and every requirement a row', () => {
  expect(known.sort()).toEqual(
    [...readAgentRows(), ...readPageRows()].map(({ id, spec }): [string, string] => [id, spec]).sort(),
  );
});

test('every requirement is proved by a test of the whole program or listed as not yet proved, and none is both', () => {
  const listed = [...notYetProved, ...proved.map(({ id }) => id)];

  expect([...new Set(notYetProved)]).toEqual(notYetProved);
  expect(notYetProved.filter((id) => proved.some((row) => row.id === id))).toEqual([]);
  expect(known.map(([id]) => id).filter((id) => !listed.includes(id))).toEqual([]);
});

test('every proof in a test names a requirement', () => {
  const ids = new Set(known.map(([id]) => id));

  expect([...notYetProved, ...proved.map(({ id }) => id)].filter((id) => !ids.has(id))).toEqual([]);
});
