import { execa } from 'execa';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { ADMIN_TOKEN } from '../../harness/start-connector.ts';

const test = testWithStack();

let agent: Agent;
let bob: IrcClient;

/** promtool's exit status for "valid, but not to the taste of the linter". */
const PROMTOOL_LINT_ONLY = 3;

const scrape = (token?: string): Promise<Response> =>
  fetch(`${stack.baseUrl}/metrics`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  bob?.[Symbol.dispose]();
});

test('metrics are for the admin token alone', async () => {
  const answers = [await scrape(), await scrape('made-up'), await scrape(agent.accessToken), await scrape(ADMIN_TOKEN)];

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
  expect(answers[3]?.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test('sessions, captured lines, sends, tool calls and statements are counted', async () => {
  const before = await sample('homeport_connector_entries_captured_total{kind="message"}');
  expect(await sample('homeport_connector_sessions_online')).toBe(0);
  expect(await sample('homeport_connector_sessions_wanted')).toBe(0);

  await agent.call('go_online');
  await agent.call('send_message', { channel: '#room', text: 'counted' });
  await agent.attempt('read_history', { channel: '#nowhere', mode: 'recent' });
  bob.say('#room', 'counted too');

  await waitFor(
    'the line is counted',
    async () => (await sample('homeport_connector_entries_captured_total{kind="message"}')) === before + 1,
  );
  await waitFor(
    'the echo is counted',
    async () => (await sample('homeport_connector_sent_lines_total{status="echoed"}')) === 1,
  );
  const calls = (tool: string, outcome: string) =>
    sample(`homeport_connector_tool_call_seconds_count{tool="${tool}",outcome="${outcome}"}`);
  expect(await sample('homeport_connector_sessions_online')).toBe(1);
  expect(await sample('homeport_connector_sessions_wanted')).toBe(1);
  expect(await sample('homeport_connector_networks_connected')).toBe(1);
  expect(await sample('homeport_connector_started_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000 - 3_600);
  expect(await sample('homeport_connector_sent_lines_total{status="pending"}')).toBe(1);
  expect(await sample('homeport_connector_sent_lines_total{status="queued"}')).toBe(1);
  expect(await calls('send_message', 'ok')).toBe(1);
  expect(await calls('read_history', 'refused')).toBe(1);
  expect(await sample('homeport_connector_database_statement_seconds_count{statement="select"}')).toBeGreaterThan(0);
});

test('a tool that was called has a count of its failures before the first one', async () => {
  await agent.call('see_account_information');
  const text = await (await scrape(ADMIN_TOKEN)).text();

  expect(text).toContain('tool_call_seconds_count{tool="see_account_information",outcome="failed"} 0\n');
});

test('the exposition is valid and names no person, channel, or text', async () => {
  const exposition = await (await scrape(ADMIN_TOKEN)).text();
  const { exitCode, stderr } = await execa('promtool', ['check', 'metrics'], { input: exposition, reject: false });

  expect([0, PROMTOOL_LINT_ONLY], stderr).toContain(exitCode);
  expect(exposition).not.toMatch(/ada|bob|room|counted too|acc_/);
});

/** Returns the value of a sample, 0 for a missing one. */
async function sample(nameAndLabels: string): Promise<number> {
  const text = await (await scrape(ADMIN_TOKEN)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${nameAndLabels} `));
  return Number(line?.split(' ')[1] ?? 0);
}
