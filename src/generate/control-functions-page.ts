import type { ControlFunction } from '../termprog/engine/control-function.ts';
import { controlFunctions } from '../termprog/engine/functions/index.ts';
import { fixedModes, modeTable } from '../termprog/engine/modes.ts';

/** Kind of a sequence -> its heading on the page. */
const KINDS = {
  character: 'Control characters',
  escape: 'Escape sequences',
  csi: 'Control sequences',
  osc: 'Operating system commands',
  dcs: 'Device control strings',
} as const satisfies Record<ControlFunction['kind'], string>;

const HEADER = `# Control functions of termprog

What programs may send to the terminal, and what it answers; written by \`npm run generate\` from
\`src/termprog/engine/functions\` and \`src/termprog/engine/modes.ts\`. Changes made here are lost.

The terminal is a VT420 with the functions of xterm that today's programs use. The level is that of the DEC terminal from
which on a function is there: DECSCL sets it, and it is 4 at the start. Each \`CSI\`, \`OSC\`, \`DCS\` or other control of
one character is understood as \`ESC\` with a character, too. \`Pm\` stands for parameters, \`Pt\` for text, \`ST\` for the
end of a string, which BEL also ends. Where a colon and codes follow the name of a function, these are what is
understood of its first parameter, or of its text. Everything else is ignored.
`;

/** The page of the supported control functions and modes. */
export function controlFunctionsPage(): string {
  const kinds = Object.keys(KINDS) as ControlFunction['kind'][];
  return [HEADER, ...kinds.map(functionsOf), modesPart()].join('\n');
}

function functionsOf(kind: ControlFunction['kind']): string {
  const written = new Map<string, { forms: string[]; level: number; choices: readonly string[] }>();
  for (const definition of controlFunctions.filter((candidate) => candidate.kind === kind)) {
    const { level = 1, choices = [] } = definition;
    const known = written.get(definition.name) ?? { forms: [], level, choices };
    written.set(definition.name, { ...known, forms: [...known.forms, ...formsOf(definition)] });
  }
  const rows = [...written].map(([name, { forms, level, choices }]) => {
    const understood = choices.length === 0 ? '' : `: ${choices.map(code).join(', ')}`;
    return `| ${forms.map(code).join(', ')} | ${name}${understood} | ${level} |`;
  });
  return `## ${KINDS[kind]}\n\n| sent | function | level |\n|---|---|---|\n${rows.toSorted(byText).join('\n')}\n`;
}

function formsOf(definition: ControlFunction): string[] {
  switch (definition.kind) {
    case 'character':
      return definition.codes.map((number) => `0x${number.toString(16).padStart(2, '0')}`);
    case 'escape':
      return definition.sequences.map((sequence) => `ESC ${spaced(sequence)}`);
    case 'csi':
      return definition.sequences.map((sequence) => {
        const [, prefix = '', rest = ''] = /^([<=>?]?)(.*)$/.exec(sequence) ?? [];
        return `CSI ${prefix === '' ? '' : `${prefix} `}Pm ${spaced(rest)}`;
      });
    case 'osc':
      return definition.numbers.map((number) => `OSC ${number} ; Pt ST`);
    default:
      return [`DCS ${spaced(definition.sequence)} Pt ST`];
  }
}

/** Characters with blanks between them; a blank is SP. */
const spaced = (sequence: string): string =>
  [...sequence].map((character) => (character === ' ' ? 'SP' : character)).join(' ');

/** Formats a form as code in a table: a bar would end the cell, and a blank at the beginning would be invisible. */
function code(form: string): string {
  const text = form.replaceAll('|', '\\|').replace(/^ /, 'SP ');
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

function modesPart(): string {
  const rows = modeTable.map((mode): string => {
    const rememberedOnly = 'rememberedOnly' in mode ? mode.rememberedOnly : undefined;
    const note = rememberedOnly === undefined ? '' : `remembered and reported only: ${rememberedOnly}`;
    const number = mode.isPrivate ? `? ${mode.number}` : `${mode.number}`;
    return `| \`${number}\` | ${wordsOf(mode.name)} | ${mode.initial ? 'set' : 'reset'} | ${mode.level} | ${note} |`;
  });
  const always = (numbers: readonly number[]): string => numbers.join(', ');
  return `## Modes

Set by \`CSI Pm h\` and reset by \`CSI Pm l\`, or \`CSI ? Pm h\` and \`CSI ? Pm l\` for those with a question mark; DECRQM
reports their state, XTSAVE and XTRESTORE save and restore those with a question mark.

| mode | meaning | at the start | level | |
|---|---|---|---|---|
${rows.join('\n')}

Always reset: ${always(fixedModes.resetAnsi)}; with a question mark, ${always(fixedModes.resetPrivate)}. Always set: with a
question mark, ${always(fixedModes.setPrivate)}.
`;
}

/** A name such as \`bracketedPaste\` in words. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z0-9]+/g, (part) => ` ${part.toLowerCase()}`).trim();
}
