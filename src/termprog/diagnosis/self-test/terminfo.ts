import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../../host-facts.ts';
import { type Check, missing, ok } from './check.ts';

/** Folders that ncurses searches, besides TERMINFO and the home folder. */
const FOLDERS = ['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/lib/terminfo'];

/** The terminfo description, from which programs learn the terminal's capabilities. */
export const terminfo: Check = {
  name: 'terminfo',
  look: async ({ environment, configuration }) => {
    const name = (await configuration).reader.required('termName');
    const folders = [
      environment['TERMINFO'],
      join(homeFolder(environment), '.terminfo'),
      ...(environment['TERMINFO_DIRS']?.split(':') ?? []),
      ...FOLDERS,
    ];
    const letter = name.charAt(0);
    const files = folders.flatMap((folder) =>
      folder ? [letter, letter.charCodeAt(0).toString(16)].map((part) => join(folder, part, name)) : [],
    );
    const file = files.find((path) => existsSync(path));
    return file === undefined
      ? missing(`no description of ${name}`, 'programs such as editors may not start in the terminal')
      : ok(file);
  },
};
