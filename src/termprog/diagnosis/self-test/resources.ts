import { type Check, missing, ok } from './check.ts';

/** The sources of X resources that are there. */
export const resources: Check = {
  name: 'X resources',
  look: async ({ configuration, complaints }) => {
    const { sources } = await configuration;
    const found = sources.length === 0 ? 'none are set, all have their defaults' : `from ${sources.join(', ')}`;
    if (complaints.length === 0) return ok(found);
    return ok(`${found}; a start has ${complaints.length} remarks on them: ${complaints.join('; ')}`);
  },
};

/** The class defaults: with the labels of the menus. */
export const classDefaults: Check = {
  name: 'class defaults',
  look: async ({ configuration }) => {
    const { sources, name } = await configuration;
    const file = sources.find((source) => source.endsWith(`/${name.class}`));
    return file === undefined
      ? missing(`no file ${name.class} in a folder app-defaults`, 'the built-in defaults and labels of menus are used')
      : ok(file);
  },
};
