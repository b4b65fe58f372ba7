/** main.ts PROGRAM [--json]: a program and its peer in one run. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  agent: () => import('./agent.ts'),
  'agent-fixture': () => import('./agent-fixture.ts'),
  connector: () => import('./connector.ts'),
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
