/** Values for the placeholders of a search path; XtResolvePathname(3). */
export interface PathSubstitutions {
  /** `%N`: the class name for app-defaults. */
  name: string;
  /** `%T`: the type of file. */
  type: string;
  /** `%C`: the `customization` resource. */
  customization: string;
  /** Parts of the locale, from LANG. */
  language: string;
}

/** The files of a search path in order. A template that starts with a colon or has empty parts stands for the name alone. */
export function expandSearchPath(searchPath: string, substitutions: PathSubstitutions): string[] {
  const [, language = '', territory = '', codeset = ''] =
    /^([^_.@]*)(?:_([^.@]*))?(?:\.([^@]*))?/.exec(substitutions.language) ?? [];
  const values: Record<string, string> = {
    N: substitutions.name,
    T: substitutions.type,
    C: substitutions.customization,
    S: '',
    L: substitutions.language,
    l: language,
    t: territory,
    c: codeset,
    '%': '%',
    ':': ':',
  };
  const paths = searchPath
    .split(/(?<!%):/)
    .map((template) => (template === '' ? '%N%S' : template))
    .map((template) => template.replace(/%(.)/g, (_, key: string) => values[key] ?? '').replace(/\/{2,}/g, '/'));
  return [...new Set(paths)];
}
