import { configSchemas } from '../../schemas/index.ts';
import { termprogResources } from '../../schemas/termprog/index.ts';
import { termprogMenus } from '../../schemas/termprog/menus.ts';
import { termprogProgramOptions } from '../../schemas/termprog/program-options.ts';
import { agentText } from '../agent/command-texts.ts';
import { connectorText } from '../connector/command-texts.ts';
import { publishedSchema } from '../kernel/config/json-schema.ts';
import { appDefaultsFile } from './app-defaults.ts';
import { commandManual } from './command-manual.ts';
import { AGENT_SECTIONS, CONNECTOR_SECTIONS, LEAST_CONFIGURATIONS } from './command-manual-sections.ts';
import { completedService, completedTerminal } from './completions/completed-program.ts';
import { completionFiles } from './completions/index.ts';
import { configurationManual } from './configuration-manual.ts';
import { controlFunctionsPage } from './control-functions-page.ts';
import { hardeningFile } from './hardening.ts';
import { manualPage } from './manual-page.ts';
import { nixOptionsFile } from './nix-options.ts';
import { optionSetOf } from './options-of-schema.ts';
import { optionsPage } from './options-page.ts';
import { publishedReportSchema } from './report-schema.ts';
import { terminfoSource } from './terminfo-source.ts';
import { xresourceOptions } from './xresource-options.ts';

/** A generated file, by its path from the root of the repository. */
export interface Output {
  path: string;
  text: string;
}

/** Folders that hold generated files only: anything else in them is left over. */
export const generatedFolders = ['modules/generated', 'schemas/json'] as const;

/** The programs with a JSON configuration file, and where NixOS has their options. */
const configuredPrograms = [
  {
    name: 'connector',
    schema: configSchemas.connector,
    nixosPrefix: 'services.homeport.connector',
    text: connectorText,
    sections: CONNECTOR_SECTIONS,
  },
  {
    name: 'agent',
    schema: configSchemas.agent,
    nixosPrefix: 'services.homeport',
    text: agentText,
    sections: AGENT_SECTIONS,
  },
] as const;

/** All files that are derived from the schemas and the tables of the terminal. */
export function generatedFiles(): Output[] {
  const resources = termprogResources;
  const programs = configuredPrograms.map((program) => ({ ...program, options: optionSetOf(program.schema) }));
  return [
    ...programs.flatMap(({ name, schema, options, text, sections }) => [
      { path: `modules/generated/${name}.options.nix`, text: nixOptionsFile(options) },
      {
        path: `schemas/json/homeport-${name}-v1.schema.json`,
        text: jsonText(publishedSchema(`homeport-${name}`, schema)),
      },
      { path: `share/man/man1/${text.name}.1`, text: commandManual(text, sections) },
      {
        path: `share/man/man5/${text.name}.5`,
        text: configurationManual(
          { name: text.name, file: text.defaultConfigFile, example: LEAST_CONFIGURATIONS[name] },
          options,
        ),
      },
    ]),
    { path: 'schemas/json/homeport-report-v1.schema.json', text: jsonText(publishedReportSchema()) },
    { path: 'modules/generated/termprog.options.nix', text: nixOptionsFile(xresourceOptions(resources)) },
    { path: 'modules/generated/hardening.nix', text: hardeningFile() },
    { path: 'share/X11/app-defaults/Term', text: appDefaultsFile(resources, termprogMenus) },
    { path: 'share/terminfo/termprog.info', text: terminfoSource() },
    { path: 'share/man/man1/termprog.1', text: manualPage() },
    ...[
      ...programs.map(({ text }) => completedService(text)),
      completedTerminal(resources, termprogProgramOptions),
    ].flatMap(completionFiles),
    { path: 'docs/options.md', text: optionsPage(programs, resources) },
    { path: 'docs/control-functions.md', text: controlFunctionsPage() },
  ];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
