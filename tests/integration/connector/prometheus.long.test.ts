import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { blocksOf } from '../../harness/guide-blocks.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { startPrometheus } from '../../harness/prometheus.ts';
import { ADMIN_TOKEN, secretFile, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RULES = 'share/prometheus/homeport-connector.rules.yml';
const DASHBOARD = 'share/grafana/homeport-connector.json';
const SOURCES = ['connector-metrics', 'sharing-levels', 'database-counts'];

/** Metrics that exist only with a database that several processes can share. */
const OF_POSTGRESQL =
  /database_taken_timestamp|clock_ahead|has_database|database_holder|takeovers|heartbeat|notice_age|processes_serving|account_slots/;

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

const namesIn = (text: string): string[] => [
  ...new Set((text.match(/\bhomeport_connector_\w+/g) ?? []).map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))),
];
const exposed = namesIn(SOURCES.map((file) => readFileSync(`src/connector/metrics/${file}.ts`, 'utf8')).join('\n'));

test('rules and dashboard name no metric that the connector does not have, and the dashboard shows each', () => {
  const shown = namesIn(JSON.stringify(queries.map(({ expr }) => expr)));

  expect(exposed.length).toBeGreaterThan(10);
  expect([...namesIn(readFileSync(RULES, 'utf8')), ...shown].filter((name) => !exposed.includes(name))).toEqual([]);
  expect(exposed.filter((name) => !shown.includes(name))).toEqual([]);
});

test('promtool finds the alert rules valid, and each fires for its fault alone', async () => {
  await using folder = await tempFolder();
  const testFile = join(folder.path, 'alerts.test.yml');
  const cases = readFileSync('tests/golden/connector/alerts.test.yml', 'utf8');
  writeFileSync(testFile, cases.replace('RULES', resolve(RULES)));

  const checked = await execa('promtool', ['check', 'rules', RULES], { reject: false });
  const tested = await execa('promtool', ['test', 'rules', testFile], { reject: false });

  expect(`${checked.stdout}${checked.stderr}`).toContain('SUCCESS');
  expect(`${tested.stdout}${tested.stderr}`).toContain('SUCCESS');
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  expect(alerts.filter((name) => !cases.includes(`alertname: ${name}\n        exp_alerts:\n          -`))).toEqual([]);
});

test("a real Prometheus scrapes the connector by the guide's job and has an answer to each query of the dashboard", async () => {
  await using stack = await startConnectorStack();
  await using folder = await tempFolder();
  await using agent = await agentIn(stack, 'ada', ['#room']);
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await agent.call('go_online');
  await agent.call('send_message', { channel: '#room', text: 'counted' });
  bob.say('#room', 'counted, too');
  await agent.attempt('read_history', { channel: '#nowhere', mode: 'recent' });
  const instance = new URL(stack.baseUrl).host;
  const job = blocksOf('prometheus.md', 'yaml').find((block) => block.includes('job_name: homeport-connector')) ?? '';
  const credentials = await secretFile(folder.path, 'admin-token', ADMIN_TOKEN);
  const scrape = job
    .replace(/scheme: .*/, 'scheme: http')
    .replace(/targets: .*/, `targets: ["${instance}"]`)
    .replace(/credentials_file: .*/, `credentials_file: ${credentials}`)
    .replace(/scrape_interval: .*/, 'scrape_interval: 1s');
  await using prometheus = await startPrometheus(folder.path, `${scrape}\nrule_files: ["${resolve(RULES)}"]\n`);

  await waitFor(
    'two scrapes',
    async () => (await prometheus.query('count_over_time(up{job="homeport-connector"}[1m]) >= 2')).length === 1,
    { process: stack.connector },
  );
  const empty: string[] = [];
  for (const { title, expr } of queries) {
    const expression = expr
      .replaceAll('$job', 'homeport-connector')
      .replaceAll('$instance', instance)
      .replaceAll('$__rate_interval', '1m');
    const answers = await prometheus.query(expression);
    if (answers.length === 0 && !OF_POSTGRESQL.test(expr)) empty.push(`${title}: ${expr}`);
  }
  expect(empty).toEqual([]);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const exposition = await (await fetch(`${stack.baseUrl}/metrics`, { headers })).text();
  const samples = exposition.split('\n').filter((line) => line.startsWith('homeport_connector_')).length;
  const stored = await prometheus.query(`count({instance="${instance}",__name__=~"homeport_connector_.+"})`);
  // The connector goes on counting kinds of statements and calls between the two looks.
  expect(Number(stored[0]?.value[1])).toBeGreaterThan(samples / 2);
});
