import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentRequirements } from '../conformance/requirements/agent.ts';
import { readAgentRows } from '../conformance/requirements/agent-rows.ts';
import { connectorRequirements } from '../conformance/requirements/connector.ts';
import { connectorMutations } from '../conformance/requirements/connector-mutations.ts';
import { readConnectorRows } from '../conformance/requirements/connector-rows.ts';
import { readPageRows } from '../conformance/requirements/page-rows.ts';
import { provedRequirements } from '../conformance/requirements/proved.ts';
import { termprogRequirements } from '../conformance/requirements/termprog.ts';
import { otherDefaults, termprogMutations } from '../conformance/requirements/termprog-mutations.ts';

const requirements = { ...agentRequirements, ...connectorRequirements, ...termprogRequirements };
const known: [id: string, spec: string][] = Object.entries(requirements).map(([id, { spec }]) => [id, spec]);
const proved = provedRequirements();

/** Lines of `ID` or `ID: what is missing`. */
const notYetProved = readFileSync('tests/conformance/requirements/not-yet-proved', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [id = '', missing = ''] = line.split(/: (.*)/);
    return { id, missing };
  });
const unprovedIds = notYetProved.map(({ id }) => id);

test('every row of the pages is a requirement, and every requirement a row', () => {
  expect(known.sort()).toEqual(
    [...readAgentRows(), ...readConnectorRows(), ...readPageRows()]
      .map(({ id, spec }): [string, string] => [id, spec])
      .sort(),
  );
});

test('every requirement is proved by a test or listed as not yet proved, and none is both', () => {
  const listed = [...unprovedIds, ...proved.map(({ id }) => id)];

  expect([...new Set(unprovedIds)]).toEqual(unprovedIds);
  expect(unprovedIds.filter((id) => proved.some((row) => row.id === id))).toEqual([]);
  expect(known.map(([id]) => id).filter((id) => !listed.includes(id))).toEqual([]);
});

test('every row of the connector that is not yet proved says what is missing', () => {
  const silent = notYetProved.filter(({ id, missing }) => id.startsWith('connector.') && missing === '');

  expect(silent).toEqual([]);
});

test('every proof in a test names a requirement', () => {
  const ids = new Set(known.map(([id]) => id));

  expect([...unprovedIds, ...proved.map(({ id }) => id)].filter((id) => !ids.has(id))).toEqual([]);
});

test('every mutation of the connector changes one place of its source, and each row it breaks is proved in one process', () => {
  const inOneProcess = new Set(proved.flatMap(({ id, file }) => (file.startsWith('tests/unit/') ? [id] : [])));

  for (const { breaks, file, from, to } of connectorMutations) {
    expect([file, from, readFileSync(file, 'utf8').split(from).length - 1]).toEqual([file, from, 1]);
    expect(to).not.toBe(from);
    expect(breaks.filter((id) => !inOneProcess.has(id))).toEqual([]);
  }
});

test('every mutation of the terminal changes one place of its source, and each row it breaks is proved', () => {
  const isProved = new Set(proved.map(({ id }) => id));

  for (const { file, from, to } of termprogMutations) {
    expect([file, from, readFileSync(file, 'utf8').split(from).length - 1]).toEqual([file, from, 1]);
    expect(to).not.toBe(from);
  }
  const broken = [...termprogMutations.flatMap(({ breaks }) => breaks), ...Object.keys(otherDefaults)];
  expect(broken.filter((id) => !isProved.has(id))).toEqual([]);
});
