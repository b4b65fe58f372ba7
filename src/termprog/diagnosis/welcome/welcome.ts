import { join } from 'node:path';
import { type Configuration, configure } from '../../configuration.ts';
import { homeFolder } from '../../host-facts.ts';
import { readServerResources, type ServerResources } from '../../server-resources.ts';
import { tryDisplay } from '../../try-display.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { type ConfiguredSlot, openConfiguredSlot } from '../configured-slot.ts';
import type { DiagnosisContext } from '../diagnosis-context.ts';
import { shippedFile } from '../shipped-file.ts';
import { openOutlineSource } from './outline-source.ts';
import { resourceLines } from './resource-lines.ts';
import { screenFacts } from './screen-facts.ts';
import { scriptCoverageOf } from './script-coverage.ts';
import { type SuggestedResource, suggest } from './suggestion.ts';
import { type After, type Facts, welcomeText } from './welcome-text.ts';

/** Pattern by which fontconfig sorts fonts if the user names no face. */
const ANY_MONOSPACED = 'monospace';

/**
 * Examines screen, fonts and resources, and prints a resource file for a readable setup: suggestions as lines, findings
 * as comments.
 * @throws DisplayUnavailableError without a server
 */
export async function welcome(context: DiagnosisContext): Promise<number> {
  const display = await tryDisplay(context);
  if (display instanceof Error) throw display;
  display.listen({ onEvent: () => {}, onError: () => {}, onEnd: () => {} });
  try {
    return await context.print(welcomeText(await examine(display, context)));
  } finally {
    display.close();
  }
}

async function examine(display: XConnection, context: DiagnosisContext): Promise<Facts> {
  const server = await readServerResources(display);
  const configuration = configureQuietly(context, server);
  const screen = await screenFacts(display, configuration.resources);
  const outline = await openOutlineSource(display, configuration);
  const source = 'source' in outline ? outline.source : undefined;
  const opened = await openConfiguredSlot(display, configuration);
  const suggested = await suggest(display, { configuration, opened, screen, source });
  const after = suggested.length === 0 ? undefined : await tryOut(display, context, server, suggested);
  const facts: Facts = {
    screen,
    configuration,
    now: factsOf(opened),
    after,
    coverage: source && scriptCoverageOf(source, configuration.reader.text('faceName') ?? ANY_MONOSPACED),
    withoutOutline: 'reason' in outline ? outline.reason : undefined,
    example: shippedFile('share/termprog/example.Xresources'),
    lostFile:
      server.properties.resourceManager === undefined ? fileThatIsLost(configuration, context.environment) : undefined,
  };
  opened.slot.close();
  source?.close();
  return facts;
}

/** Returns the cell of the opened fonts, and the warnings of a start. */
function factsOf({ slot, problems }: ConfiguredSlot): Facts['now'] {
  const { kind, cell } = slot.fonts;
  return { kind, cell, problems };
}

/**
 * Opens the fonts that a terminal uses once the lines are in the server's resources: the text describes what was really
 * opened.
 */
async function tryOut(
  display: XConnection,
  context: DiagnosisContext,
  server: ServerResources,
  suggested: readonly SuggestedResource[],
): Promise<After> {
  const { instance } = configureQuietly(context, server).name;
  const lines = resourceLines(suggested, instance);
  const resourceManager = `${server.properties.resourceManager ?? ''}\n${lines.join('\n')}\n`;
  const configuration = configureQuietly(context, {
    ...server,
    properties: { ...server.properties, resourceManager },
  });
  const opened = await openConfiguredSlot(display, configuration);
  opened.slot.close();
  const overruled = configuration.resolved.flatMap(({ row, value, origin }) => {
    const wanted = suggested.find(({ name }) => name === row.name);
    return wanted === undefined || value === wanted.value || origin === undefined ? [] : [origin];
  });
  return { ...factsOf(opened), lines, suggested, overruled };
}

/** Configures like a start without options, but silently: a start reports the faults. */
function configureQuietly(context: DiagnosisContext, server: ServerResources): Configuration {
  const commandLine = { ...context.commandLine, resources: [] };
  return configure({ ...context, commandLine, complain: () => {} }, server);
}

/** Returns the file that is read only while the server has no resources. */
function fileThatIsLost({ sources }: Configuration, environment: DiagnosisContext['environment']): string | undefined {
  const file = join(homeFolder(environment), '.Xdefaults');
  return sources.includes(file) ? file : undefined;
}
