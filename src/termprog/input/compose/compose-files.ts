/** Where libX11 has the files of locales. */
const LOCALE_FOLDER = '/usr/share/X11/locale';

/** For locales that the folder does not know: text is UTF-8 in all of them. */
const FALLBACK_FILE = 'en_US.UTF-8/Compose';

/** What is asked of the machine. */
export interface ComposeSystem {
  environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** Such as `de_DE.UTF-8`. */
  locale: string;
  /** Undefined for a file that can't be read, or is too large. */
  readFile(path: string): Buffer | undefined;
}

/** The file in force. */
export interface ComposeFile {
  path: string;
  /** The user's own, instead of the locale's. */
  isOwn: boolean;
  content: Buffer | undefined;
}

/** The folder of locales: that of another X library, when a variable names it. */
export const localeFolder = ({ environment }: ComposeSystem): string => environment['XLOCALEDIR'] ?? LOCALE_FOLDER;

/** The user's own file: the one that a variable names, else `.XCompose`; undefined when there is none. */
export function ownComposeFile({ environment, home, readFile }: ComposeSystem): ComposeFile | undefined {
  const named = environment['XCOMPOSEFILE'];
  if (named !== undefined && named !== '') return { path: named, isOwn: true, content: readFile(named) };
  const path = `${home}/.XCompose`;
  const content = home === '' ? undefined : readFile(path);
  return content === undefined ? undefined : { path, isOwn: true, content };
}

/** The locale's file, by the table of X. */
export function localeComposePath(system: ComposeSystem): string {
  const folder = localeFolder(system);
  const directory = system.readFile(`${folder}/compose.dir`)?.toString('latin1') ?? '';
  const name = utf8Name(system.locale);
  for (const line of directory.split('\n')) {
    const [file = '', locale] = line.trim().split(/:?\s+/);
    if (locale === name && !file.startsWith('#')) return `${folder}/${file}`;
  }
  return `${folder}/${FALLBACK_FILE}`;
}

/** The name of a locale with UTF-8 for its characters, which the terminal has whatever the locale says. */
function utf8Name(locale: string): string {
  const [language = ''] = locale.split(/[.@]/);
  return `${language === 'POSIX' ? 'C' : language}.UTF-8`;
}
