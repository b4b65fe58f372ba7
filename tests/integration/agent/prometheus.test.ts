import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { startPrometheus } from '../../harness/prometheus.ts';
import { AGENT_TOKEN, startAgent } from '../../harness/start-agent.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RULES = 'share/prometheus/homeport-agent.rules.yml';

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
interface Dashboard {
  panels: Panel[];
  templating: { list: { query: string | { query: string } }[] };
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

test("a real Prometheus scrapes the agent by the guide's job and answers the dashboard's queries", async () => {
  await using folder = await tempFolder();
  await using agent = await startAgent();
  const credentialsFile = join(folder.path, 'token');
  writeFileSync(credentialsFile, `${AGENT_TOKEN}\n`);
  const instance = new URL(agent.baseUrl).host;
  await using prometheus = await startPrometheus(
    folder.path,
    `${scrapeJob(instance, credentialsFile)}\nrule_files: ["${resolve(RULES)}"]\n`,
  );

  await waitFor(
    'two scrapes',
    async () => {
      const [count] = await prometheus.query('count_over_time(up{job="homeport-agent"}[1m]) >= 2');
      return count !== undefined;
    },
    { process: agent.process },
  );
  const [up] = await prometheus.query('up');
  expect(up).toMatchObject({ metric: { job: 'homeport-agent', instance }, value: [expect.any(Number), '1'] });
  const answers = new Map<string, number>();
  for (const { title, expression } of queriesFor(instance)) {
    answers.set(title, (answers.get(title) ?? 0) + (await prometheus.query(expression)).length);
  }
  const filled = [
    'Up since boot',
    'CPU busy',
    'Memory used',
    'CPU by mode',
    'Load',
    'Memory',
    'Collector errors',
    'Agent',
  ];
  expect(filled.filter((title) => (answers.get(title) ?? 0) === 0)).toEqual([]);
});
