/** Metrics as a scraper sees them. */
export interface Exposition {
  /** `HELP name text` and `TYPE name type`. */
  comments: Set<string>;
  /** `name{labels in the order of their names}` -> value. */
  samples: Map<string, number>;
}

/** Reads the text format. @throws Error when a series occurs twice */
export function parseExposition(text: string): Exposition {
  const lines = text.trimEnd().split('\n');
  const comments = new Set(lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2)));
  const samples = new Map<string, number>();
  for (const line of lines.filter((candidate) => !candidate.startsWith('#'))) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/s.exec(line) ?? [];
    const sorted = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([label]) => label).sort();
    const key = `${name}{${sorted.join(',')}}`;
    if (samples.has(key)) throw new Error(`${key} is there twice`);
    samples.set(key, Number(value));
  }
  return { comments, samples };
}
