/** main.ts PROGRAM [--json]: a program and its peer in one run. The terminal's has more options: bench/termprog/main.ts. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  agent: () => import('./agent/main.ts'),
  'agent-fixture': () => import('./agent/fixture.ts'),
  connector: () => import('./connector/main.ts'),
  'connector-compare': () => import('./connector/compare.ts'),
  'connector-turns': () => import('./connector/turns.ts'),
  'connector-processes': () => import('./connector/processes.ts'),
  'connector-takeover': () => import('./connector/takeover.ts'),
  soak: () => import('./soak/main.ts'),
  termprog: () => import('./termprog/main.ts'),
};

const [name = ''] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined) {
  console.error(
    `bench: ${name === '' ? 'no program named' : `unknown program ${name}`}: name one of ${Object.keys(benches).join(', ')}`,
  );
  process.exitCode = 64;
} else {
  await bench();
}
