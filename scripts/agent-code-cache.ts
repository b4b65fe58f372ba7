/**
 * agent-code-cache.ts PROGRAM
 * Runs the built agent until it has answered, and keeps what V8 has compiled of it by then in PROGRAM.cache:
 * all that a start and a scrape use, and nothing else.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const POLL_MS = 5;

const [, , program = ''] = process.argv;
const file = resolve(`${program}.js`);
// A short name: the path of a socket may have 107 bytes.
const directory = mkdtempSync(join(tmpdir(), 'hp-'));
const inDirectory = (name: string): string => join(directory, name);

/** Status of an answer of the agent, 0 when nobody answers. */
function statusOf(path: string): Promise<number> {
  const options = { socketPath: inDirectory('socket'), path, headers: { authorization: 'Bearer token' } };
  return new Promise((done) => {
    get(options, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
    }).once('error', () => done(0));
  });
}

try {
  writeFileSync(inDirectory('token'), 'token', { mode: 0o600 });
  const agent = { tokenFile: inDirectory('token'), listen: { unix: inDirectory('socket') }, logLevel: 'error' };
  writeFileSync(inDirectory('agent.json'), JSON.stringify({ agent }));
  const script = new Script(readFileSync(file, 'latin1'), { filename: file });
  process.argv = [process.execPath, file, 'run', '--config', inDirectory('agent.json')];
  script.runInThisContext()(createRequire(file));

  while ((await statusOf('/healthz')) === 0) await delay(POLL_MS);
  for (const path of ['/metrics', '/v1/report', '/metrics']) {
    const status = await statusOf(path);
    if (status !== 200) throw new Error(`the agent answered ${path} with ${status}`);
  }
  // As at a start: once it has answered the agent does without a compiler, and V8 compares the flags.
  setFlagsFromString('--opt');
  writeFileSync(`${program}.cache`, script.createCachedData());
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
