/**
 * main.ts connector [--json] [--quick] [--build CHECKOUT] [serving] [unread] [ingest] [memory]
 * Compares the connector with programs that do parts of its work: a bare server of the MCP SDK, and soju itself.
 * --quick takes a tenth of the size. --build measures the connector that is built in another checkout of the project.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benchParts } from './parts.ts';
import type { BenchResult } from './result.ts';

const QUICK_SCALE = 0.1;

const { values: options, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    build: { type: 'string', default: '.' },
  },
  allowPositionals: true,
});
const named = benchParts.filter(({ name }) => positionals.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'hpb-'));

try {
  const results: BenchResult[] = [];
  const [scale, checkout] = [options.quick ? QUICK_SCALE : 1, resolve(options.build)];
  for (const { name, run } of named.length === 0 ? benchParts : named) {
    results.push(...(await run({ folder: join(folder, name), scale, checkout })));
  }
  if (options.json) console.log(JSON.stringify({ program: 'connector', results }, null, 2));
  else {
    const width = Math.max(...results.map(({ what }) => what.length));
    console.log(`${''.padEnd(width)}${'connector'.padStart(14)}${'peer'.padStart(14)}${'ratio'.padStart(9)}  goal`);
    for (const { what, unit, connector, peer, goal } of results) {
      const cells = [connector, peer].map((value) => `${value.toFixed(2)} ${unit}`.padStart(14)).join('');
      console.log(`${what.padEnd(width)}${cells}${(connector / peer).toFixed(2).padStart(9)}  ${goal}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
