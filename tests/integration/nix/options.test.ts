import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchemas } from '../../../schemas/index.ts';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { evaluate, ownLib, repository } from '../../harness/nix/nix.ts';

/** Path, default and description of every option a file declares, down to the first that holds others. */
interface Declared {
  path: string;
  default?: unknown;
  description: string;
}

const declared = async (file: string, attribute: string): Promise<Declared[]> =>
  (await evaluate(`
    let
      lib = import ${ownLib.path};
      walk = path: node:
        if lib.isOption node
        then [ ({ path = lib.concatStringsSep "." path; inherit (node) description; } // (if node ? default then { inherit (node) default; } else { })) ]
        else lib.concatMap (name: walk (path ++ [ name ]) node.\${name}) (builtins.attrNames node);
    in walk [ ] (import ./modules/generated/${file} { inherit lib; })${attribute}
  `)) as Declared[];

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
}

/** The same from the schema, by way of its JSON Schema: nested objects are sections unless they may be left out. */
function optionsOfSchema({ properties = {}, required = [] }: JsonSchema): [string, unknown][] {
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, member]): [string, unknown][] => {
      const needed = required.includes(name);
      if (member.properties === undefined || (member.default === undefined && !needed)) {
        return [[name, member.default ?? (needed ? undefined : null)]];
      }
      return optionsOfSchema(member).map(([inner, value]) => [`${name}.${inner}`, value]);
    });
}

test.each(['connector', 'agent'] as const)('NixOS has every option of the %s with its default', async (program) => {
  const schema = z.toJSONSchema(configSchemas[program], { io: 'input' }) as JsonSchema;

  const options = await declared(`${program}.options.nix`, '.options');

  expect(new Map(options.map((option) => [option.path, option.default]))).toEqual(new Map(optionsOfSchema(schema)));
});

test('NixOS has every X resource, unset', async () => {
  const options = await declared('termprog.options.nix', '');

  expect(options.map(({ path }) => path).sort()).toEqual(
    termprogResources.map(({ scope, name }) => `${scope}.${name}`).sort(),
  );
  expect(options.filter((option) => option.default !== null)).toEqual([]);
});

test.each([
  ['connector.options.nix', '.options'],
  ['agent.options.nix', '.options'],
  ['termprog.options.nix', ''],
])('every option of %s has a description', async (file, attribute) => {
  expect((await declared(file, attribute)).filter(({ description }) => description.trim() === '')).toEqual([]);
});

test('every recorded option file declares options', async () => {
  const files = readdirSync(`${repository}/tests/golden/generate`).filter((name) => name.endsWith('.nix'));

  const counts = await evaluate(`
    let lib = import ${ownLib.path};
    in map (file: builtins.length (builtins.attrNames (import file { inherit lib; }).options)) [
      ${files.map((name) => `./tests/golden/generate/${name}`).join(' ')}
    ]
  `);

  expect(files.length).toBeGreaterThan(10);
  expect(counts).toEqual(files.map(() => 1));
});
