import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mayImport, mayUse } from './import-rules.ts';
import { importsOf, sourceFiles } from './source-files.ts';

const isInside = (path: string, layer: string): boolean => path === layer || path.startsWith(`${layer}/`);

/** `@scope/name/part` -> `@scope/name`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const files = sourceFiles('src', 'schemas', 'scripts', 'bench').filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.d.ts'),
);

test('every source file belongs to a folder the import table knows', () => {
  expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
});

test('imports point only where the table allows', () => {
  const trespasses = files.flatMap((file) => {
    const layer = layerOf(file);
    if (layer === undefined) return [];
    return importsOf(file).flatMap((specifier) => {
      const reached = trespass(file, layer, specifier);
      return reached === undefined ? [] : [`${file} (${layer}) reaches ${reached}`];
    });
  });
  expect(trespasses).toEqual([]);
});

test("Node's own modules are used only where the table allows", () => {
  const trespasses = files
    .filter((file) => isInside(file, 'src') || isInside(file, 'schemas'))
    .flatMap((file) => {
      const layer = layerOf(file) ?? '';
      const allowed = mayUse[layer] ?? [];
      const used = importsOf(file).filter((specifier) => isBuiltin(specifier) && !allowed.includes(specifier));
      return used.map((specifier) => `${file} (${layer}) uses ${specifier}`);
    });
  expect(trespasses).toEqual([]);
});

test('rules of the domain draw nothing by chance', () => {
  const draws = /\b(randomBytes|randomFill\w*|randomInt|randomUUID|getRandomValues|Math\.random)\b/;
  const domain = files.filter((file) => isInside(file, 'src/connector/domain'));
  expect(domain.filter((file) => draws.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('the tables have no row without a folder', () => {
  const rows = [...Object.keys(mayImport), ...Object.keys(mayUse)];
  expect(rows.filter((layer) => !files.some((file) => isInside(file, layer)))).toEqual([]);
  // Else the row of a folder around it decides.
  expect(Object.keys(mayUse).filter((layer) => !(layer in mayImport))).toEqual([]);
});

test('no circle of imports between files', () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => relative('.', resolve(dirname(file), specifier))),
    ]),
  );
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

function layerOf(path: string): string | undefined {
  return Object.keys(mayImport)
    .filter((layer) => isInside(path, layer))
    .sort((a, b) => b.length - a.length)[0];
}

/** Undefined when the import is allowed, else what it reaches. */
function trespass(file: string, layer: string, specifier: string): string | undefined {
  const allowed = mayImport[layer] ?? [];
  if (isBuiltin(specifier)) return undefined;
  if (!specifier.startsWith('.'))
    return allowed.includes(packageOf(specifier)) ? undefined : `package ${packageOf(specifier)}`;
  const target = relative('.', resolve(dirname(file), specifier));
  const targetLayer = layerOf(target);
  if (targetLayer === layer) return undefined;
  if (targetLayer !== undefined) return allowed.includes(targetLayer) ? undefined : targetLayer;
  // Outside of the table, such as the tests: the row names the folder or the file itself.
  return allowed.some((outside) => isInside(target, outside)) ? undefined : target;
}
