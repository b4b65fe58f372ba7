import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { writeProgram } from '../../harness/fake-program.ts';
import { AGENT_TOKEN, type AgentFiles, agentCommand, writeAgentFiles } from '../../harness/start-agent.ts';

const key = (letter: string): string => `${letter.repeat(42)}8=`;
const NAMED = key('N');
const UNNAMED = key('U');

/** Secrets that may not appear in any output, even if a program prints them. */
const secrets = {
  token: AGENT_TOKEN,
  wrongToken: 'a-wrong-token-0123456789',
  privateKey: key('P'),
  presharedKey: key('S'),
  address: 'private-person@example.org',
};

/** Output of `wg show all dump`, which the agent must not run. */
const dump = `wg0\\t${secrets.privateKey}\\t${NAMED}\\t51820\\toff\\nwg0\\t${UNNAMED}\\t${secrets.presharedKey}\\t(none)\\t(none)\\t0\\t1\\t2\\toff\\n`;

const talkative = {
  wg: `printf '${dump}' >&2; printf '${dump}'
case $3 in
  transfer) printf 'wg0\\t${NAMED}\\t10\\t20\\nwg0\\t${UNNAMED}\\t30\\t40\\n' ;;
  *) printf 'wg0\\t${NAMED}\\t1000\\nwg0\\t${UNNAMED}\\t0\\n' ;;
esac`,
  postqueue: `echo '{"queue_name": "hold", "arrival_time": 5, "sender": "${secrets.address}"}'; echo 'no message of ${secrets.address}'`,
  knotc: `echo '[example.org.] role: master | serial: 5 | ${secrets.privateKey}'`,
};

const failing = {
  wg: `printf '${dump}' >&2; printf '${dump}'; exit 1`,
  postqueue: `echo '${secrets.privateKey} ${secrets.presharedKey}' >&2; echo '${secrets.address}'; exit 69`,
  knotc: `echo '${secrets.privateKey}'; echo 'error: ${secrets.presharedKey}' >&2; exit 1`,
};

/** Returns the words that occur anywhere in the output. */
const told = (words: readonly string[], said: object): string[] =>
  words.filter((word) => JSON.stringify(said).includes(word));

for (const [what, scripts, errors] of [
  ['print more than they were asked', talkative, ['postfix', 'wireguard']],
  ['fail with more than they should say', failing, ['knot', 'postfix', 'wireguard']],
] as const) {
  test(`keys, tokens and addresses stay hidden in answers when programs ${what}`, async () => {
    const { report, metrics, refusals, log } = await everythingSaid(scripts);

    expect(
      Object.keys(report.errors)
        .filter((section) => ['knot', 'postfix', 'wireguard'].includes(section))
        .sort(),
    ).toEqual(errors);
    const { wireguard: peers = [], ...rest } = report;
    const said = { metrics, refusals, log: log(), report: rest };
    expect(told(Object.values(secrets), { ...said, peers })).toEqual([]);
    // Public keys stand in their own section and nowhere else.
    expect(told([NAMED, UNNAMED], said)).toEqual([]);
    expect(peers.map(({ publicKey }) => publicKey)).toEqual(scripts === talkative ? [NAMED, UNNAMED] : []);
    expect(log()).toContain('section not collected');
  });
}

for (const [what, scripts] of [
  ['print more than they were asked', talkative],
  ['fail with more than they should say', failing],
] as const) {
  test(`commands print no key, token or address when programs ${what}`, async () => {
    using files = writeAgentFiles(1);
    const { env, command } = writeMachine(files, 1, scripts);
    const run = async ([program, ...args]: [string, ...string[]], inTerminal = false) => {
      const words = inTerminal ? ['script', '-qec', [program, ...args].join(' '), '/dev/null'] : [program, ...args];
      const { all } = await execa(words[0] ?? '', words.slice(1), { env, all: true });
      return all;
    };
    const config = ['--config', files.configFile];

    const printed = await Promise.all([
      run(command('report')),
      run(command('report'), true),
      run(command('metrics')),
      run(agentCommand('print-config', ...config)),
      run(agentCommand('check-config', files.configFile)),
    ]);

    expect(printed[1]).toMatch(/\nhost +|^host +/);
    expect(told(Object.values(secrets), printed)).toEqual([]);
    expect(told([NAMED, UNNAMED], [printed[2]])).toEqual([]);
    expect(printed[2]).toContain('monitor_agent_collect_errors_total{collector="postfix"} 1');
  });
}

/** Programs that say this, and the configuration that asks them all. */
function writeMachine(files: AgentFiles, port: number, scripts: Record<'wg' | 'postqueue' | 'knotc', string>) {
  const [programs, sysfs] = [join(files.directory, 'bin'), join(files.directory, 'sys')];
  mkdirSync(programs);
  mkdirSync(join(sysfs, 'module/wireguard'), { recursive: true });
  for (const [name, script] of Object.entries(scripts)) writeProgram(programs, name, script);
  const agent = { tokenFile: files.tokenFile, listen: { port }, postfix: true, knot: true, logLevel: 'debug' };
  writeFileSync(files.configFile, JSON.stringify({ agent, hosts: { wgPeers: { ada: NAMED } } }));
  return {
    env: { PATH: `${programs}:${process.env['PATH']}` },
    command: (name: string) => agentCommand(name, '--config', files.configFile, '--sysfs', sysfs),
  };
}

/** Starts an agent on these programs, requests everything, and returns all its output. */
async function everythingSaid(scripts: Record<'wg' | 'postqueue' | 'knotc', string>) {
  const port = await freePort();
  using files = writeAgentFiles(port);
  const { env, command } = writeMachine(files, port, scripts);
  const running = startProcess({ name: 'homeport-agent', command: command('run'), env });
  const ask = async (path: string, token: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
  };
  try {
    await waitFor('the agent answers', () => ask('/healthz', '').then(() => true), { process: running });
    const refusals = [await ask('/v1/report', secrets.wrongToken), await ask(`/metrics?token=${secrets.token}`, 'x')];
    const report = await ask('/v1/report', AGENT_TOKEN);
    const metrics = await ask('/metrics', AGENT_TOKEN);
    return {
      report: hostReport.parse(JSON.parse(report.split('\n')[1] ?? '')),
      metrics,
      refusals,
      log: running.output,
    };
  } finally {
    await running.stop();
  }
}
