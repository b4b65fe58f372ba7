import { seeAlso } from './command-manual.ts';
import { list, literal, paragraphs } from './manual-lists.ts';
import { PAGE_DATE } from './manual-sections.ts';
import { manualArgument } from './manual-text.ts';
import { type OptionSet, optionsIn, type PlacedOption } from './option-tree.ts';
import { wordsOf } from './options-page.ts';

/** Facts of a page about a configuration file besides its options. */
export interface ConfigurationSections {
  /** Name of the program, which is the name of the page. */
  name: string;
  /** Default path of the file. */
  file: string;
  /** A small configuration that is complete, as JSON. */
  example: string;
}

/** The manual page NAME(5) of a configuration file, in mdoc(7). */
export function configurationManual({ name, file, example }: ConfigurationSections, options: OptionSet): string {
  const lines = [
    '.\\" Written by `npm run generate` from schemas. Changes made here are lost.',
    `.Dd ${PAGE_DATE}`,
    `.Dt ${name.toUpperCase()} 5`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd configuration file of ${name}(1)`,
    '.Sh DESCRIPTION',
    ...paragraphs([
      `The file \`${file}\` is one JSON object, without comments. A member that the program does not know is refused, and so is a value of another type. \`${name} check-config\` lists every problem of a file.`,
      'Below, a path such as `listen.port` names the member `port` of the object `listen`. An asterisk stands for any element of a list, or for any name. Behind each path stand the values that it accepts, its default, and when a change takes effect: at a reload (SIGHUP, or `systemctl reload`) or at a restart.',
    ]),
    '.Sh OPTIONS',
    ...list(optionsIn(options).map(optionItem)),
    '.Sh EXAMPLES',
    'The least that a configuration needs:',
    ...literal(example.trimEnd().split('\n')),
    '.Sh SEE ALSO',
    ...seeAlso([`${name} 1`]),
  ];
  return `${lines.join('\n')}\n`;
}

function optionItem({ path, option }: PlacedOption): { head: string[]; text: string } {
  const { type, default: given, description, example, pending, isSoft } = option;
  const fallback =
    given === undefined ? (type.kind === 'submodule' ? undefined : 'required') : `default ${defaultWords(given.value)}`;
  const effect = pending ? 'no effect in this version' : `takes effect at a ${isSoft === true ? 'reload' : 'restart'}`;
  const shown = example === undefined ? '' : ` Example: \`${JSON.stringify(example.value)}\`.`;
  return {
    head: [`.It Va ${manualArgument(path.join('.'))}`],
    text: `${description}${shown} Value: ${[wordsOf(type), fallback, effect].filter((part) => part !== undefined).join('; ')}.`,
  };
}

const defaultWords = (value: unknown): string => (value === null ? 'unset' : `\`${JSON.stringify(value)}\``);
