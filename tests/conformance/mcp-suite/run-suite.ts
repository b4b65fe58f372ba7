import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import type { Revision } from './scenarios.ts';

const CLI = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The suite's finding at one point. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description: string;
  errorMessage?: string;
}

/**
 * Runs every scenario that the suite has for a revision; scenario -> its checks. The suite writes its files into
 * `folder`.
 */
export async function runSuite(revision: Revision, endpoint: string, folder: string): Promise<Map<string, Check[]>> {
  const output = join(folder, revision);
  const run = ['server', '--url', endpoint, '--suite', 'all', '--spec-version', revision, '--output-dir', output];
  // Its status is a failure as soon as one check fails; the files have the failed checks.
  await execa(process.execPath, [CLI, ...run], { cwd: folder, reject: false });
  const results = await readdir(output);
  return new Map(
    await Promise.all(
      results.map(async (result) => {
        const [, scenario = result] = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(result) ?? [];
        const checks = JSON.parse(await readFile(join(output, result, 'checks.json'), 'utf8')) as Check[];
        return [scenario, checks] as const;
      }),
    ),
  );
}
