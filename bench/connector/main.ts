/**
 * connector.ts [--json] [--quick] [serving] [ingest] [memory]
 * Compares the connector with programs that do parts of its work: a bare server of the MCP SDK, and soju itself.
 * --quick takes a tenth of the size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchParts } from './parts.ts';

const isQuick = process.argv.includes('--quick');
const scale = isQuick ? 0.1 : 1;
const named = benchParts.filter(({ name }) => process.argv.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'hpb-'));

try {
  const results = [];
  for (const { name, run } of named.length === 0 ? benchParts : named) {
    results.push(...(await run(join(folder, name), scale)));
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify({ program: 'connector', results }, null, 2));
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
