import { join } from 'node:path';
import { homeFolder, readFile } from '../../host-facts.ts';
import { type Check, missing, ok } from './check.ts';

/** Folder with the sequences of dead keys and of the Compose key in the X libraries' package. */
const LOCALES = '/usr/share/X11/locale';

/** A line of the list of locales: its file, and its locale. */
const LINE = /^(\S+?):?\s+(\S+)$/;

/** The sequences of dead keys and of the Compose key: the user's own, otherwise those of the locale. */
export const compose: Check = {
  name: 'Compose file',
  look: async ({ environment, configuration }) => {
    const { locale } = await configuration;
    const own = [environment['XCOMPOSEFILE'], join(homeFolder(environment), '.XCompose')].find(
      (file) => file !== undefined && readFile(file) !== undefined,
    );
    const file = own ?? fileOf(locale.replace(/utf-?8/i, 'UTF-8'));
    return file !== undefined && readFile(file) !== undefined
      ? ok(file)
      : missing(`there is none for the locale ${locale}`, 'dead keys and the Compose key make no characters');
  },
};

function fileOf(locale: string): string | undefined {
  const list = readFile(join(LOCALES, 'compose.dir'))?.toString('latin1') ?? '';
  const lines = list.split('\n').map((line) => LINE.exec(line));
  const [, file] = lines.find((line) => line?.[2] === locale && line[1] !== undefined) ?? [];
  return file === undefined ? undefined : join(LOCALES, file);
}
