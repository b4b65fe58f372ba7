import { shippedFile } from '../shipped-file.ts';
import { type Check, missing, ok } from './check.ts';

/** The existing sources of X resources. */
export const resources: Check = {
  name: 'X resources',
  look: async ({ configuration, complaints }) => {
    const { sources } = await configuration;
    const found = sources.length === 0 ? 'none are set, all have their defaults' : `from ${sources.join(', ')}`;
    if (complaints.length === 0) return ok(found);
    return ok(`${found}; a start has ${complaints.length} remarks on them: ${complaints.join('; ')}`);
  },
};

/** The class defaults, which contain the labels of the menus. */
export const classDefaults: Check = {
  name: 'class defaults',
  look: async ({ configuration }) => {
    const { sources, name } = await configuration;
    const file = sources.find((source) => source.endsWith(`/${name.class}`));
    if (file !== undefined) return ok(file);
    // The same defaults and labels are in the program; the file is for those who want to change them.
    const shipped = shippedFile('share/X11/app-defaults/Term');
    return shipped === undefined
      ? missing(`no file ${name.class} in a folder app-defaults`, 'the built-in defaults and labels of menus are used')
      : ok(`built in, as in ${shipped}; a copy in /etc/X11/app-defaults is for changes for all users`);
  },
};
