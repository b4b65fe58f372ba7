/** What a template of a search path may name; XtResolvePathname(3). */
export interface PathSubstitutions {
  /** `%N`: the class name for app-defaults. */
  name: string;
  /** `%T`: the type of file. */
  type: string;
  /** `%C`: the `customization` resource. */
  customization: string;
  /** Of the locale in use, as LANG has it. */
  language: string;
}

/** The files of a search path in order. A template that starts with a colon or has empty parts is taken as the name. */
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
  return searchPath
    .split(/(?<!%):/)
    .map((template) => (template === '' ? '%N%S' : template))
    .map((template) => template.replace(/%(.)/g, (_, key: string) => values[key] ?? '').replace(/\/{2,}/g, '/'))
    .filter((path, index, all) => all.indexOf(path) === index);
}
