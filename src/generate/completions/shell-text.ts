import type { CompletedOption, CompletedValue } from './completed-program.ts';

/** The first lines of a file of completions. */
export const generatedNote = (program: string, shell: string): string[] => [
  `# Completions of ${program} for ${shell}. Written by \`npm run generate\`. Changes made here are lost.`,
];

/** Kind of value -> spellings of its options, without duplicates. */
export function byValue(options: readonly CompletedOption[]): Record<CompletedValue, string[]> {
  const of = (value: CompletedValue): string[] => [
    ...new Set(options.filter((option) => option.value === value).map(({ spelling }) => spelling)),
  ];
  return { file: of('file'), folder: of('folder'), command: of('command'), other: of('other') };
}

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
