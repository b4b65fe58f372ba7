import { execa } from 'execa';
import type { Stack } from '../stack.ts';
import { expectThat } from './expect.ts';
import type { Step } from './steps.ts';

const PROMTOOL_DEADLINE_MS = 10_000;
const REQUEST_DEADLINE_MS = 10_000;

/** promtool's exit status for "valid, but the linter complains", as it does about node_exporter's own names. */
const PROMTOOL_LINT_ONLY = 3;

/** Scrapes the agent as a hub and as Prometheus do. */
export function agentSteps({ agent }: Stack): Step[] {
  const get = (path: string, token?: string): Promise<Response> =>
    fetch(`${agent.baseUrl}${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
    });
  return [
    {
      program: 'agent',
      proves: 'the report needs the token',
      run: async () => {
        const answers = await Promise.all([get('/healthz'), get('/v1/report'), get('/v1/report', 'wrong')]);
        expectThat(
          answers.map(({ status }) => status).join() === '200,401,401',
          '200 for /healthz, 401 without the right token',
        );
      },
    },
    {
      program: 'agent',
      proves: 'the hub reads load, memory, CPUs and disks of this host',
      run: async () => {
        const response = await get('/v1/report', agent.token);
        const body = await response.text();
        expectThat(response.status === 200, `200 for the report, got ${response.status}: ${body.slice(0, 200)}`);
        const { load, cpus, memory, disks, errors } = JSON.parse(body) as {
          load: number[];
          cpus: number;
          memory: { totalKB: number };
          disks: { mount: string }[];
          errors: Record<string, string>;
        };
        expectThat(load.length === 3 && cpus > 0 && memory.totalKB > 0, 'load, CPUs and memory with values');
        expectThat(disks.length > 0, 'at least one disk');
        expectThat(Object.keys(errors).length === 0, `no section with an error, got ${JSON.stringify(errors)}`);
      },
    },
    {
      program: 'agent',
      proves: 'Prometheus understands the metrics (promtool)',
      run: async () => {
        const response = await get('/metrics', agent.token);
        const exposition = await response.text();
        expectThat(
          response.headers.get('content-type') === 'text/plain; version=0.0.4; charset=utf-8',
          'the exposition content type',
        );
        const { exitCode, stderr } = await execa('promtool', ['check', 'metrics'], {
          input: exposition,
          reject: false,
          timeout: PROMTOOL_DEADLINE_MS,
        });
        expectThat(exitCode === 0 || exitCode === PROMTOOL_LINT_ONLY, `metrics promtool can parse, it says: ${stderr}`);
        for (const name of [
          'node_load1',
          'node_memory_MemTotal_bytes',
          'node_cpu_seconds_total',
          'node_filesystem_size_bytes',
        ]) {
          expectThat(exposition.includes(`\n${name}`), `the metric ${name}`);
        }
      },
    },
  ];
}
