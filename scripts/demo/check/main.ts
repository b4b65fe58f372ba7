import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DemoFolder } from '../folder.ts';
import type { OpenParts } from '../open-parts.ts';
import type { Stack } from '../stack.ts';
import { agentSteps } from './agent.ts';
import { openBrowser } from './browser.ts';
import { connectorSteps } from './connector/index.ts';
import { formatResults, runSteps } from './steps.ts';
import { termprogSteps } from './termprog.ts';

/** Screenshots outlive the demo's own folder. */
const SCREENSHOTS = fileURLToPath(new URL('../../../.demo', import.meta.url));

/** Plays the main job of each program against the running stack and prints what was proved. */
export async function playCheck(stack: Stack, parts: OpenParts, folder: DemoFolder): Promise<boolean> {
  await mkdir(SCREENSHOTS, { recursive: true });
  const browser = await openBrowser({ folder: folder.at('browser') });
  parts.add(() => browser.close());
  const steps = [
    ...connectorSteps(stack, { browser, parts, screenshots: SCREENSHOTS }),
    ...agentSteps(stack),
    ...termprogSteps(stack, { screenshots: SCREENSHOTS }),
  ];
  console.log('');
  const results = await runSteps(steps, ({ program, proves, outcome }) =>
    console.log(`  ${outcome}: ${program}: ${proves}`),
  );
  console.log(`\n${formatResults(results)}\n\nscreenshots: ${SCREENSHOTS}`);
  return results.every(({ outcome }) => outcome === 'proved');
}
