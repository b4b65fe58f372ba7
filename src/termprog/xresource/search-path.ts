/** Values for the placeholders of a search path; XtResolvePathname(3). A missing value is empty. */
export interface PathSubstitutions {
  /** `%N`: the class name for app-defaults. */
  name: string;
  /** `%T`: the type of file. */
  type?: string;
  /** `%C`: the `customization` resource. */
  customization?: string | undefined;
  /** The locale: `%L` is the whole name; `%l`, `%t` and `%c` are its language, territory and codeset. */
  language: string;
  /** `%D`: the path that applies if the user sets none. */
  default: string;
}

/**
 * Returns the files of a search path in order. A colon at the beginning, and two in a row, stand for the name alone.
 */
export function expandSearchPath(searchPath: string, substitutions: PathSubstitutions): string[] {
  const { language } = substitutions;
  const [, beforeTerritory, territory] = /^([^_]*)_(.*)$/.exec(language) ?? [];
  const [, beforeCodeset = '', codeset = ''] = /^([^.]*)\.?(.*)$/.exec(territory ?? language) ?? [];
  const values: Record<string, string> = {
    N: substitutions.name,
    T: substitutions.type ?? '',
    C: substitutions.customization ?? '',
    S: '',
    L: language,
    l: beforeTerritory ?? beforeCodeset,
    t: territory === undefined ? '' : beforeCodeset,
    c: codeset,
  };
  const complete = searchPath.replace(/^(?=:)/, '%N%S').replace(/%[\s\S]|:{2,}/g, (found) => {
    if (found === '%D') return substitutions.default;
    return found.startsWith('%') ? found : ':%N%S:';
  });
  const templates = complete.match(/(?:%[\s\S]?|[^:%])+/g) ?? [];
  const paths = templates.map((template) =>
    template.replace(/%([\s\S]?)/g, (_, key: string) => values[key] ?? key).replace(/\/{2,}/g, '/'),
  );
  return [...new Set(paths)];
}
