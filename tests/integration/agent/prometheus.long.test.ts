import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parseExposition } from '../../../scripts/stack/exposition.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type AgentTree, copyAgentTree, startAgentOn } from '../../harness/agent-tree.ts';
import { encodeUnitList, startFakeBus } from '../../harness/fake-bus.ts';
import { startPrometheus } from '../../harness/prometheus.ts';
import { AGENT_TOKEN } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RULES = 'share/prometheus/homeport-agent.rules.yml';

interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { type: string; uid: string };
  targets?: { expr: string; refId: string; datasource?: unknown }[];
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
}
interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
}
const dashboard = JSON.parse(readFileSync('share/grafana/homeport-agent.json', 'utf8')) as Dashboard;

/** The queries of the dashboard as Grafana sends them for one host. */
const queriesFor = (instance: string): { title: string; expression: string }[] =>
  dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expression: expr
        .replaceAll('$job', 'homeport-agent')
        .replaceAll('$instance', instance)
        .replaceAll('$__rate_interval', '1m'),
    })),
  );

const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:node|monitor)_\w+/g))];

test('every metric that rules and dashboard name is one of the specification', () => {
  const specified = specifiedMetrics();
  const used = [...namesIn(readFileSync(RULES, 'utf8')), ...namesIn(JSON.stringify(dashboard))];

  expect(specified.size).toBeGreaterThan(50);
  expect(used.filter((name) => !specified.has(name))).toEqual([]);
});

test('the dashboard shows every metric of the specification', () => {
  const used = new Set(namesIn(JSON.stringify(dashboard)));

  expect([...specifiedMetrics()].filter((name) => !used.has(name))).toEqual([]);
});

/** Columns of Grafana's grid. */
const GRID_COLUMNS = 24;

const overlaps = (a: Panel, b: Panel): boolean =>
  a.gridPos.x < b.gridPos.x + b.gridPos.w &&
  b.gridPos.x < a.gridPos.x + a.gridPos.w &&
  a.gridPos.y < b.gridPos.y + b.gridPos.h &&
  b.gridPos.y < a.gridPos.y + a.gridPos.h;

test('the dashboard has the form Grafana imports: its data source a variable, its panels apart', () => {
  const { panels, templating, schemaVersion, uid } = dashboard;
  const filled = panels.filter(({ type }) => type !== 'row');

  expect(uid).toMatch(/^[a-z0-9-]{1,40}$/);
  expect(schemaVersion).toBeGreaterThanOrEqual(36);
  expect(templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['job', 'query'],
    ['instance', 'query'],
  ]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
  expect(filled.filter(({ datasource }) => datasource?.uid !== '${datasource}')).toEqual([]);
  expect(filled.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  expect(filled.filter(({ targets = [] }) => new Set(targets.map(({ refId }) => refId)).size < targets.length)).toEqual(
    [],
  );
  expect(panels.filter(({ gridPos: { x, w } }) => x < 0 || x + w > GRID_COLUMNS)).toEqual([]);
  const overlapping = panels.flatMap((a, index) => panels.slice(index + 1).filter((b) => overlaps(a, b)));
  expect(overlapping.map(({ title }) => title)).toEqual([]);
});

test('promtool finds the alert rules valid, and each fires for its fault alone', async () => {
  await using folder = await tempFolder();
  const testFile = join(folder.path, 'alerts.test.yml');
  const cases = readFileSync('tests/golden/agent/alerts.test.yml', 'utf8');
  writeFileSync(testFile, cases.replace('RULES', resolve(RULES)));

  const checked = await execa('promtool', ['check', 'rules', RULES], { reject: false });
  const tested = await execa('promtool', ['test', 'rules', testFile], { reject: false });

  expect(`${checked.stdout}${checked.stderr}`).toContain('SUCCESS');
  expect(`${tested.stdout}${tested.stderr}`).toContain('SUCCESS');
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  expect(alerts.filter((name) => !cases.includes(`alertname: ${name}\n`))).toEqual([]);
});

/** The scrape job of the guide, for an agent of this test. */
function scrapeJob(target: string, credentialsFile: string): string {
  const guide = readFileSync('docs/guides/prometheus.md', 'utf8');
  const job = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  return job
    .replace(/targets: .*/, `targets: ["${target}"]`)
    .replace(/credentials_file: .*/, `credentials_file: ${credentialsFile}`)
    .replace(/scrape_interval: .*/, 'scrape_interval: 1s');
}

/** A machine with everything the agent reports, but for what only NixOS has. */
async function copyFullTree(): Promise<AgentTree> {
  const tree = await copyAgentTree();
  tree.write('proc/1/mountinfo', '1 0 0:90 / / rw - ext4 /dev/root rw\n');
  const recordings = resolve('tests/golden/agent/recordings');
  tree.write('proc/meminfo', readFileSync(`${recordings}/meminfo`, 'latin1'));
  tree.program('wg', `cat ${recordings}/wg-$3`);
  tree.program('postqueue', `cat ${recordings}/postqueue-j`);
  tree.program('knotc', `cat ${recordings}/zone-status-secondary`);
  return tree;
}

async function copyNixosTree(): Promise<AgentTree> {
  const tree = await copyAgentTree();
  tree.write('etc/os-release.nixos', 'ID=nixos\nBUILD_ID="25.11.20260101.abcdef1"\n');
  tree.remove('etc/os-release');
  renameSync(join(tree.root, 'etc/os-release.nixos'), join(tree.root, 'etc/os-release'));
  return tree;
}

test("a real Prometheus scrapes agents by the guide's job and has an answer to each query of the dashboard", async () => {
  verifies('agent.rule.4');
  await using folder = await tempFolder();
  await using bus = await startFakeBus({
    onCall: ({ serial }, socket) => socket.write(encodeUnitList(serial, ['a.service'])),
  });
  await using full = await copyFullTree();
  full.startedBySystemd(bus.path);
  await using nixos = await copyNixosTree();
  await using agent = await startAgentOn(full, { postfix: true, knot: true });
  await using nixosAgent = await startAgentOn(nixos, { wireguard: false });
  const credentialsFile = join(folder.path, 'token');
  writeFileSync(credentialsFile, `${AGENT_TOKEN}\n`);
  const [instance, nixosInstance] = [agent, nixosAgent].map(({ baseUrl }) => new URL(baseUrl).host);
  await using prometheus = await startPrometheus(
    folder.path,
    `${scrapeJob(`${instance}", "${nixosInstance}`, credentialsFile)}\nrule_files: ["${resolve(RULES)}"]\n`,
  );

  await waitFor(
    'two scrapes of each',
    async () => {
      const counts = await prometheus.query('count_over_time(up{job="homeport-agent"}[1m]) >= 2');
      return counts.length === 2;
    },
    { process: agent.process },
  );
  expect(await prometheus.query('up == 1')).toHaveLength(2);
  const empty: string[] = [];
  for (const { title, expression } of queriesFor(String(instance))) {
    const nixosExpression = expression.replaceAll(String(instance), String(nixosInstance));
    const answers = [...(await prometheus.query(expression)), ...(await prometheus.query(nixosExpression))];
    if (answers.length === 0) empty.push(`${title}: ${expression}`);
  }
  expect(empty).toEqual([]);
  // Prometheus stores all that the agent exposes: no series was dropped as a twin or for its form.
  const exposed = parseExposition(await (await agent.get('/metrics')).text());
  const stored = await prometheus.query(`count({instance="${instance}",__name__=~"(node|monitor)_.+"})`);
  expect(Number(stored[0]?.value[1])).toBe(exposed.samples.size);
});

/** `a_{b,c}_d{label}` of the specification -> `a_b_d`, `a_c_d`. */
function expanded(name: string): string[] {
  const [, before, words, after] = /^([a-z_]*_)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  if (before === undefined || words === undefined) return [name.replace(/\{.*\}$/, '')];
  return words.split(',').flatMap((word) => expanded(`${before}${word}${after}`));
}

/** Every metric the agent may expose, by its specification. */
function specifiedMetrics(): Set<string> {
  const text = readFileSync('docs/specification/agent.md', 'utf8');
  const names = [...text.matchAll(/`((?:node|monitor)_[^`]*)`/g)].flatMap(([, name = '']) => expanded(name));
  return new Set(names);
}
