import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { type HostReport, hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { makeServiceGroups } from '../../harness/many-cgroups.ts';
import { needs } from '../../harness/needs.ts';
import { AGENT_TOKEN, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

const SERVICES = 700;

for (const limit of [1024, 256]) {
  needs('root', 'memory control groups')(
    `with ${SERVICES} services and ${limit} descriptors every section is reported, again and again`,
    async () => {
      using _services = makeServiceGroups(SERVICES);
      const port = await freePort();
      using files = writeAgentFiles(port);
      const agent = startProcess({
        name: 'homeport-agent',
        command: ['prlimit', `--nofile=${limit}:${limit}`, ...agentCommand('run', '--config', files.configFile)],
      });
      const get = (path: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` } });
      await waitFor('the agent answers', async () => (await get('/healthz')).ok, { process: agent });
      const report = async (): Promise<HostReport> => hostReport.parse(await (await get('/v1/report')).json());

      const first = await report();
      let next = first;
      await waitFor(
        'another report is collected',
        async () => {
          next = await report();
          return next.time !== first.time;
        },
        { process: agent, timeoutMs: 25_000 },
      );

      for (const { errors, units } of [first, next]) {
        expect(errors).toEqual({});
        expect(units?.filter(({ unit }) => unit.startsWith(`many-${process.pid}-`))).toHaveLength(SERVICES);
      }
      expect(readdirSync(`/proc/${agent.pid}/fd`).length).toBeLessThan(limit * 0.75);
      await agent.stop();
    },
  );
}
