import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';
import { configSchemas } from '../../../schemas/index.ts';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { evaluate, nixpkgsLib, nixTest, repository } from '../../harness/nix/nix.ts';

for (const program of ['connector', 'agent'] as const) {
  nixTest(`NixOS has every option of the ${program} with its default`, async () => {
    const schema = z.toJSONSchema(configSchemas[program], { io: 'input' }) as JsonSchema;

    const options = await declared(`${program}.options.nix`);

    expect(new Map(options.map((option) => [option.path, option.default]))).toEqual(new Map(optionsOfSchema(schema)));
  });

  nixTest(`every switch of the ${program} is described as one`, async () => {
    const switches = (await declared(`${program}.options.nix`)).filter(({ type }) => type === 'bool');

    expect(switches.length).toBeGreaterThan(0);
    expect(switches.filter(({ description }) => !description.startsWith('Whether to '))).toEqual([]);
  });
}

nixTest('NixOS has every X resource, unset', async () => {
  const options = await declared('termprog.options.nix');

  expect(options.map(({ path }) => path).sort()).toEqual(
    termprogResources.map(({ scope, name }) => `${scope}.${name}`).sort(),
  );
  expect(options.filter((option) => option.default !== null)).toEqual([]);
});

for (const program of ['connector', 'agent', 'termprog']) {
  nixTest(`every option of the ${program} has a description`, async () => {
    const options = await declared(`${program}.options.nix`);

    expect(options.filter(({ description }) => description.trim() === '')).toEqual([]);
  });
}

nixTest('every recorded option file declares options', async () => {
  const files = readdirSync(`${repository}/tests/golden/generate`).filter((name) => name.endsWith('.nix'));

  const counts = await evaluate(`
    let lib = import ${nixpkgsLib};
    in map (file: builtins.length (builtins.attrNames (import file { inherit lib; }).options)) [
      ${files.map((name) => `./tests/golden/generate/${name}`).join(' ')}
    ]
  `);

  expect(files.length).toBeGreaterThan(10);
  expect(counts).toEqual(files.map(() => 1));
});

/**
 * Returns the options of a schema, by way of its JSON Schema: nested objects are sections unless they may be left out.
 */
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

/** The declaration of each option of a file, down to the first that holds others. */
interface Declared {
  path: string;
  /** Name of the type. */
  type: string;
  default?: unknown;
  description: string;
}

async function declared(file: string): Promise<Declared[]> {
  return (await evaluate(`
    let
      lib = import ${nixpkgsLib};
      told = path: option: {
        path = lib.concatStringsSep "." path;
        type = option.type.name;
        inherit (option) description;
      } // lib.optionalAttrs (option ? default) { inherit (option) default; };
      walk = path: node:
        if lib.isOption node then [ (told path node) ]
        else lib.concatMap (name: walk (path ++ [ name ]) node.\${name}) (builtins.attrNames node);
    in walk [ ] (import ./modules/generated/${file} { inherit lib; }).options
  `)) as Declared[];
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
}
