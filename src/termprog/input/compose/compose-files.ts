/** Folder of libX11's locale files. */
const LOCALE_FOLDER = '/usr/share/X11/locale';

/** File for locales that the folder lacks: text is UTF-8 in all of them. */
const FALLBACK_FILE = 'en_US.UTF-8/Compose';

/** The machine's environment and files. */
export interface ComposeSystem {
  environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** Locale name, such as `de_DE.UTF-8`. */
  locale: string;
  /** Undefined for a file that can't be read, or is too large. */
  readFile(path: string): Buffer | undefined;
}

/** The file in force. */
export interface ComposeFile {
  path: string;
  /** Whether it is the user's own file, and not the locale's. */
  isOwn: boolean;
  content: Buffer | undefined;
}

/** Returns the folder of locales; a variable may name that of another X library. */
export const localeFolder = ({ environment }: ComposeSystem): string => environment['XLOCALEDIR'] ?? LOCALE_FOLDER;

/** Returns the user's own file: the one that a variable names, otherwise `.XCompose`; undefined if there is none. */
export function ownComposeFile({ environment, home, readFile }: ComposeSystem): ComposeFile | undefined {
  const named = environment['XCOMPOSEFILE'];
  if (named !== undefined && named !== '') return { path: named, isOwn: true, content: readFile(named) };
  const path = `${home}/.XCompose`;
  const content = home === '' ? undefined : readFile(path);
  return content === undefined ? undefined : { path, isOwn: true, content };
}

/** Returns the path of the locale's file, from the directory of X. */
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

/** Returns the locale's name with the character set UTF-8, which the terminal always uses. */
function utf8Name(locale: string): string {
  const [language = ''] = locale.split(/[.@]/);
  return `${language === 'POSIX' ? 'C' : language}.UTF-8`;
}
